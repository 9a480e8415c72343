"""Rule tests, one file a document; expected values are transcribed from the documents."""
