"""One thin command for each library call; clock, randomness and environment enter here only."""
