"""More fonts for the indices and suit signs of drawn decks, all of Debian; those of the deck's earlier seeds stay.

The packages: ``fonts-liberation fonts-urw-base35 fonts-freefont-ttf fonts-crosextra-carlito fonts-crosextra-caladea
fonts-lato fonts-bebas-neue fonts-quattrocento fonts-jura fonts-cantarell fonts-linuxlibertine fonts-gfs-didot
fonts-sil-gentium-basic fonts-symbola fonts-roboto-unhinted fonts-roboto-slab fonts-league-spartan fonts-cabin
fonts-open-sans fonts-comic-neue fonts-oldstandard fonts-leckerli-one fonts-dejavu fonts-inter fonts-hack fonts-play
fonts-karla fonts-lobstertwo fonts-sil-charis fonts-texgyre fonts-gfs-artemisia fonts-tomsontalks``. Where a font is
missing another one is drawn in its place.
"""

from __future__ import annotations

from typing import Final

WIDER_FROM: Final = 100_000
"""The first seed of a deck whose font and suit signs may be any of these."""

MORE_FONTS: Final = (
    ("Bebas Neue", 1.0),
    ("Cabin", 0.76),
    ("Caladea", 0.7),
    ("Cantarell", 0.72),
    ("Carlito", 0.82),
    ("Charis SIL", 0.7),
    ("Comic Neue", 0.82),
    ("FreeMono", 0.68),
    ("FreeSans", 0.74),
    ("FreeSerif", 0.7),
    ("GFS Artemisia", 0.66),
    ("GFS Didot", 0.66),
    ("Gentium Book Basic", 0.7),
    ("Hack", 0.82),
    ("Inter", 0.7),
    ("Inter Display", 0.7),
    ("Jura", 0.78),
    ("Karla", 0.68),
    ("Lato", 0.7),
    ("League Spartan", 0.72),
    ("Leckerli One", 0.76),
    ("Linux Biolinum O", 0.7),
    ("Linux Libertine O", 0.7),
    ("Lobster Two", 0.78),
    ("Nimbus Mono PS", 0.66),
    ("Old Standard TT", 0.64),
    ("Open Sans", 0.74),
    ("Open Sans Condensed", 0.95),
    ("Play", 0.66),
    ("Quattrocento", 0.7),
    ("Roboto", 0.76),
    ("Roboto Condensed", 0.88),
    ("Roboto Slab", 0.66),
    ("Tomson Talks", 0.68),
    ("TeX Gyre Adventor", 0.82),
    ("TeX Gyre Bonum", 0.62),
    ("TeX Gyre Heros", 0.7),
    ("TeX Gyre Heros Cn", 0.84),
    ("TeX Gyre Pagella", 0.64),
    ("TeX Gyre Schola", 0.64),
    ("TeX Gyre Termes", 0.66),
)
"""Family, and the horizontal scale that makes its capitals as narrow as a card's index."""

GLYPH_SUITS: Final = (
    ("C059", 125, 0.364),
    ("DejaVu Sans", 135, 0.364),
    ("DejaVu Sans Mono", 164, 0.364),
    ("DejaVu Serif", 135, 0.364),
    ("FreeMono", 165, 0.282),
    ("FreeSans", 136, 0.345),
    ("FreeSerif", 136, 0.345),
    ("Liberation Mono", 167, 0.292),
    ("Liberation Sans", 160, 0.294),
    ("Linux Libertine O", 151, 0.308),
    ("Nimbus Mono PS", 161, 0.281),
    ("Nimbus Sans", 125, 0.364),
    ("P052", 125, 0.361),
    ("Symbola", 106, 0.281),
    ("TeX Gyre Adventor", 145, 0.337),
    ("TeX Gyre Pagella", 146, 0.335),
)
"""Family with signs of the suits, the size at which they are 98 high, and how high their middle is, in ems."""
