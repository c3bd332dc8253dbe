package dev.parley.channels.chat.markup;

import java.text.Normalizer;

/** Normalises characters as Telegram does, so that its lengths and ours agree; harmless on other platforms. */
final class Characters {
    private static final int TAB = 4;
    /** Maximum number of combining marks on a letter, as in Unicode's stream-safe text format. */
    private static final int MOST_MARKS = 30;

    private Characters() {}

    /** The composed text, with plain line ends, whole characters, and a limited number of marks. */
    static String normal(String raw) {
        var text = new StringBuilder(raw.length());
        int marks = 0;
        for (int i = 0; i < raw.length(); ) {
            int point = raw.codePointAt(i);
            i += Character.charCount(point);
            marks = isMark(point) ? marks + 1 : 0;
            if (point == '\r') {
                text.append(i < raw.length() && raw.charAt(i) == '\n' ? "" : "\n");
            } else if (marks <= MOST_MARKS) {
                // Markdown would replace U+0000 with U+FFFD.
                text.appendCodePoint(point == 0 ? ' ' : replaceSurrogate(point));
            }
        }
        return Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    /** The text as Telegram cleans it. */
    static String visible(String text) {
        if (isSimple(text)) {
            return text;
        }
        var visible = new StringBuilder(text.length());
        text.codePoints()
                .filter(point -> !isRemoved(point))
                .forEach(
                        point -> visible.appendCodePoint(point < ' ' && point != '\n' ? ' ' : replaceSurrogate(point)));
        return visible.toString();
    }

    /** Code with tabs expanded to blanks. */
    static String withoutTabs(String code) {
        if (code.indexOf('\t') < 0) {
            return code;
        }
        var text = new StringBuilder(code.length());
        int line = 0;
        for (int i = 0; i < code.length(); i++) {
            char unit = code.charAt(i);
            if (unit == '\t') {
                text.repeat(' ', TAB - (text.length() - line) % TAB);
            } else {
                text.append(unit);
            }
            line = unit == '\n' ? text.length() : line;
        }
        return text.toString();
    }

    /** Keeps only the last of consecutive direction marks, as Telegram does; the length is unchanged. */
    static void calm(StringBuilder text) {
        for (int i = 0; i + 1 < text.length(); i++) {
            if (isDirection(text.charAt(i)) && isDirection(text.charAt(i + 1))) {
                text.setCharAt(i, '\u200C');
            }
        }
    }

    /** Whether Telegram treats this text as an empty message. */
    static boolean isEmpty(String text) {
        return text.codePoints().allMatch(Characters::isNothing);
    }

    /** Whether all characters have the width of Latin letters. */
    static boolean isSimple(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) >= 0x300) {
                return false;
            }
        }
        return true;
    }

    private static int replaceSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point;
    }

    private static boolean isMark(int point) {
        if (point < 0x300) {
            return false;
        }
        int type = Character.getType(point);
        return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
    }

    private static boolean isRemoved(int point) {
        return point == '\r'
                || point >= 0x2028 && point <= 0x202E
                || point == 0x333
                || point == 0x33F
                || point == 0x30A;
    }

    private static boolean isDirection(char unit) {
        return unit == 0x200E || unit == 0x200F;
    }

    private static boolean isNothing(int point) {
        return point <= ' '
                || point >= 0x2000 && point <= 0x200F
                || point >= 0xE0000 && point <= 0xE007F
                || switch (point) {
                    case 0xA0, 0x1680, 0x180E, 0x202E, 0x202F, 0x205F, 0x2800, 0x3000, 0xFEFF, 0xFFFC -> true;
                    default -> false;
                };
    }
}
