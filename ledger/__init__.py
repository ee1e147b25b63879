"""Events, their store, projections over them, editions, and their verification."""
