package dev.parley.language.time;

import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A token of a text.
 *
 * @param text a word in lower case without accents; the suffix of a number; the character of a punctuation mark
 * @param number the value of a number of up to four digits, otherwise -1
 * @param digits number of digits
 * @param date of a written date such as 2025-03-03, or null
 * @param upper whether the token starts with a capital letter
 * @param roles its possible roles in the language of the text, with their values
 */
record Token(
        Kind kind,
        String text,
        int number,
        int digits,
        @Nullable Written date,
        boolean upper,
        int from,
        int to,
        Map<WordRole, Integer> roles) {
    enum Kind {
        WORD,
        NUMBER,
        DATE,
        /** Punctuation, one character; a new line is {@code \n}. */
        MARK,
        /** Anything else: code, links, prices, versions. */
        OTHER
    }

    /**
     * A date in digits.
     *
     * @param date with the day before the month if both orders are possible
     * @param ambiguous whether the month may precede the day
     */
    record Written(LocalDate date, boolean ambiguous) {}

    static Token mark(char mark, int position) {
        return new Token(Kind.MARK, String.valueOf(mark), -1, 0, null, false, position, position + 1, Map.of());
    }

    static Token other(int from, int to) {
        return new Token(Kind.OTHER, "", -1, 0, null, false, from, to, Map.of());
    }

    static Token word(String folded, boolean upper, int from, int to) {
        return new Token(Kind.WORD, folded, -1, 0, null, upper, from, to, Map.of());
    }

    static Token date(Written date, int from, int to) {
        return new Token(Kind.DATE, "", -1, 0, date, false, from, to, Map.of());
    }

    Token as(Map<WordRole, Integer> meaning, int end) {
        return new Token(kind, text, number, digits, date, upper, from, end, meaning);
    }

    boolean is(WordRole role) {
        return roles.containsKey(role);
    }

    boolean isMark(char mark) {
        return kind == Kind.MARK && text.charAt(0) == mark;
    }

    boolean isWord() {
        return kind == Kind.WORD;
    }

    /** Whether a sentence ends here. */
    boolean ends() {
        return kind == Kind.MARK && ".!?\n".indexOf(text.charAt(0)) >= 0;
    }
}
