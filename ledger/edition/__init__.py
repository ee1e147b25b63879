"""Editions: frozen figures, their manifest, and the bundle that carries them."""
