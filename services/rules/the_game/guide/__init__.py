"""The rules told to people: texts in a folder a language, drawings without a word in `figures`."""
