"""Pictures that the renderer needs: the deck's faces and the print of the felt, and the script that drew them."""
