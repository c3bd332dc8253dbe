package dev.parley.language.time;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens of a text in one language with lookups; positions outside of it are empty. */
final class Sentence {
    /** Maximum tokens searched for the tense of a sentence. */
    private static final int SIGHT = 40;
    /** Maximum words before "in three days" that may indicate the future. */
    private static final int CUE = 6;
    /** Maximum punctuation marks before the first word of a sentence. */
    private static final int MARKS = 4;
    /** Maximum prepositions and articles in a row. */
    private static final int FILLERS = 3;

    private static final Token NOTHING = Token.other(0, 0);

    private final List<Token> tokens;
    private final Language language;
    private final boolean question;

    /** @param question whether the text is a question, which is about the past by default */
    Sentence(List<Token> tokens, Language language, boolean question) {
        this.tokens = tokens;
        this.language = language;
        this.question = question;
    }

    /** The token at this position; an empty one outside of the text. */
    Token token(int i) {
        return i >= 0 && i < tokens.size() ? tokens.get(i) : NOTHING;
    }

    int size() {
        return tokens.size();
    }

    boolean isEnglish() {
        return language == Language.ENGLISH;
    }

    /**
     * The tense of the sentence of this token: by the nearest indicator before it, otherwise the nearest one after it.
     */
    Tense tense(int i) {
        int sight = is(i - 1, WordRole.BY) || is(i - 2, WordRole.BY) ? 1 : sight(i, !question);
        return sight > 0 ? Tense.FUTURE : sight < 0 || question ? Tense.PAST : Tense.OPEN;
    }

    /** Whether the sentence is explicitly in the past. */
    boolean looksBack(int i) {
        return sight(i, false) < 0;
    }

    private int sight(int i, boolean presentCounts) {
        for (int k = i - 1; k >= 0 && k >= i - SIGHT && !ends(k); k--) {
            int sight = sight(token(k), presentCounts);
            if (sight != 0) {
                return sight;
            }
        }
        for (int k = i + 1; k < tokens.size() && k <= i + SIGHT && !ends(k); k++) {
            int sight = sight(token(k), presentCounts);
            if (sight != 0) {
                return sight;
            }
        }
        return 0;
    }

    /** Whether a sentence ends here; not after the number of "3. Mai". */
    private boolean ends(int i) {
        return token(i).ends() && !(isMark(i, '.') && isNumber(i - 1) && is(i + 1, WordRole.MONTH));
    }

    /**
     * Whether "in three days" is in the future: only at the start of a sentence, or in one about the future; otherwise
     * it may be a duration.
     */
    boolean looksAhead(int i) {
        boolean cue = false;
        for (int k = Math.max(0, i - CUE); k < i; k++) {
            cue |= value(k, WordRole.FUTURE, 0) == 1;
        }
        return startsSentence(i) || cue && sight(i, false) > 0;
    }

    CalendarUnit unit(int i) {
        return CalendarUnit.values()[value(i, WordRole.UNIT, 2)];
    }

    private int sight(Token token, boolean presentCounts) {
        if (token.is(WordRole.FUTURE) || presentCounts && token.is(WordRole.PRESENT)) {
            return 1;
        }
        boolean verb = language == Language.ENGLISH
                && token.roles().isEmpty()
                && token.isWord()
                && token.text().endsWith("ed");
        return verb || token.is(WordRole.PAST) ? -1 : 0;
    }

    /** Whether a preceding number counts this noun: "2000 tokens". */
    boolean isCounted(int i) {
        Token token = token(i);
        boolean plural = language != Language.GERMAN
                && language != Language.ITALIAN
                && isUnknownWord(i)
                && !token.upper()
                && token.text().length() > 3
                && token.text().endsWith("s");
        return plural || token.is(WordRole.COUNTED);
    }

    /** Whether this is a word that is not in the language's table. */
    boolean isUnknownWord(int i) {
        return token(i).isWord() && token(i).roles().isEmpty();
    }

    /** Whether the token is an unknown word with a capital letter, which may be a name. */
    boolean isName(int i) {
        return isUnknownWord(i) && token(i).upper();
    }

    /** Whether only punctuation precedes this token in its sentence. */
    boolean startsSentence(int i) {
        for (int k = i - 1; k >= 0 && k >= i - MARKS; k--) {
            Token token = token(k);
            if (token.kind() != Token.Kind.MARK) {
                return false;
            }
            if (token.ends()) {
                return true;
            }
        }
        return true;
    }

    /** The position after up to three tokens that have one of these roles. */
    int skip(int i, WordRole... roles) {
        int position = i;
        while (position < i + FILLERS && isAny(position, roles)) {
            position++;
        }
        return position;
    }

    private boolean isAny(int i, WordRole... roles) {
        for (WordRole role : roles) {
            if (is(i, role)) {
                return true;
            }
        }
        return false;
    }

    boolean is(int i, WordRole role) {
        return token(i).is(role);
    }

    boolean isMark(int i, char mark) {
        return token(i).isMark(mark);
    }

    boolean isNumber(int i) {
        return token(i).kind() == Token.Kind.NUMBER;
    }

    /** The value of a token in this role, or the default if it does not have the role. */
    int value(int i, WordRole role, int defaultValue) {
        return token(i).roles().getOrDefault(role, defaultValue);
    }

    @Nullable
    Choice choice(int i, WordRole role) {
        int value = value(i, role, -1);
        return value < 0 ? null : Choice.values()[value];
    }
}
