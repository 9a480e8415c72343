"""A wrong round and a right one for each procedure, by subject; ``test_every_procedure`` plays them all."""
