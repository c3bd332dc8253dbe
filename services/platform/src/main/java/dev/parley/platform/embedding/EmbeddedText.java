package dev.parley.platform.embedding;

/** Texts as models can embed them. A tokenizer finds nothing in spaces, controls and marks, and a model then fails. */
final class EmbeddedText {
    private static final String NOTHING = "-";
    private static final char REPLACEMENT = '\ufffd';

    private EmbeddedText() {}

    /** The text from its first visible character on, as well-formed Unicode; a dash if there is none. */
    static String of(String text) {
        int start = 0;
        while (start < text.length() && !isVisible(text.codePointAt(start))) {
            start += Character.charCount(text.codePointAt(start));
        }
        return start == text.length() ? NOTHING : wellFormed(text.substring(start));
    }

    private static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK -> false;
            default -> codePoint != REPLACEMENT;
        };
    }

    private static String wellFormed(String text) {
        if (text.codePoints().noneMatch(EmbeddedText::isSurrogate)) {
            return text;
        }
        return text.codePoints()
                .map(codePoint -> isSurrogate(codePoint) ? REPLACEMENT : codePoint)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isSurrogate(int codePoint) {
        return Character.getType(codePoint) == Character.SURROGATE;
    }

    /** The beginning of a text, which does not end within a character. */
    static String truncate(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
