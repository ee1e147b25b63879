"""Hostile bytes for every reader there is: ``python -m fuzz`` (``specs/adr``, on fuzzing).

A *surface* is a reader with what must hold of it for any bytes (`fuzz.judges`), examples to begin
with (`fuzz.seeds`), and a way to change them so that the changes reach its deeper steps
(`fuzz.values`, `fuzz.texts`, `fuzz.forged`). The tests draw from the same three; atheris adds
feedback by coverage (`fuzz.run`).
"""
