package dev.parley.domain.memory.time;

import dev.parley.domain.memory.time.Calendar.Choice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens of a text in one language, and what is asked about them; places outside of it have nothing. */
final class Sentence {
    /** Tokens that are searched for what says whether a sentence looks back or ahead. */
    private static final int SIGHT = 40;
    /** How many words before "in three days" may say that it is still to come. */
    private static final int CUE = 6;
    /** How many marks may stand before the first word of a sentence. */
    private static final int MARKS = 4;

    private final List<Token> tokens;
    private final Language language;
    private final boolean question;

    /** @param question whether it is one: those look back */
    Sentence(List<Token> tokens, Language language, boolean question) {
        this.tokens = tokens;
        this.language = language;
        this.question = question;
    }

    /** Where a sentence looks. */
    enum Tense {
        PAST,
        /** It does not say. */
        OPEN,
        FUTURE
    }

    Token token(int i) {
        return tokens.get(i);
    }

    int size() {
        return tokens.size();
    }

    boolean isEnglish() {
        return language == Language.ENGLISH;
    }

    /** Where the sentence of this token looks: the nearest word before it that says so, else the nearest behind. */
    Tense tense(int i) {
        int sight = is(i - 1, Role.BY) || is(i - 2, Role.BY) ? 1 : sight(i, !question);
        return sight > 0 ? Tense.FUTURE : sight < 0 || question ? Tense.PAST : Tense.OPEN;
    }

    private int sight(int i, boolean presentCounts) {
        for (int k = i - 1; k >= 0 && k >= i - SIGHT && !tokens.get(k).ends(); k--) {
            int sight = sight(tokens.get(k), presentCounts);
            if (sight != 0) {
                return sight;
            }
        }
        for (int k = i + 1;
                k < tokens.size() && k <= i + SIGHT && !tokens.get(k).ends();
                k++) {
            int sight = sight(tokens.get(k), presentCounts);
            if (sight != 0) {
                return sight;
            }
        }
        return 0;
    }

    /** "In three days" is ahead only where the sentence is or where it begins with it: all else may take that long. */
    boolean looksAhead(int i) {
        boolean cue = false;
        for (int k = Math.max(0, i - CUE); k < i; k++) {
            cue |= value(k, Role.FUTURE, 0) == 1;
        }
        return startsSentence(i) || cue && sight(i, false) > 0;
    }

    Unit unit(int i) {
        return Unit.values()[value(i, Role.UNIT, 2)];
    }

    private int sight(Token token, boolean presentCounts) {
        if (token.is(Role.FUTURE) || presentCounts && token.is(Role.PRESENT)) {
            return 1;
        }
        boolean verb = language == Language.ENGLISH
                && token.roles().isEmpty()
                && token.isWord()
                && token.text().endsWith("ed");
        return verb || token.is(Role.PAST) ? -1 : 0;
    }

    /** Whether a number before this token counts what it is: "2000 tokens". */
    boolean isCounted(int i) {
        if (i >= tokens.size() || !tokens.get(i).isWord()) {
            return false;
        }
        Token token = tokens.get(i);
        boolean plural = language != Language.GERMAN && language != Language.ITALIAN;
        return token.is(Role.COUNTED)
                || plural
                        && token.roles().isEmpty()
                        && !token.upper()
                        && token.text().length() > 3
                        && token.text().endsWith("s");
    }

    boolean isName(int i) {
        return i < tokens.size()
                && tokens.get(i).isWord()
                && tokens.get(i).upper()
                && tokens.get(i).roles().isEmpty();
    }

    boolean isUnknownWord(int i) {
        return language == Language.ENGLISH
                && i < tokens.size()
                && tokens.get(i).isWord()
                && tokens.get(i).roles().isEmpty();
    }

    boolean startsSentence(int i) {
        for (int k = i - 1; k >= 0 && k >= i - MARKS; k--) {
            Token token = tokens.get(k);
            if (token.kind() != Token.Kind.MARK) {
                return false;
            }
            if (token.ends()) {
                return true;
            }
        }
        return true;
    }

    int skip(int i, Role... roles) {
        int at = i;
        for (int taken = 0; taken < 3 && at < tokens.size() && isAny(at, roles); taken++) {
            at++;
        }
        return at;
    }

    private boolean isAny(int i, Role... roles) {
        for (Role role : roles) {
            if (is(i, role)) {
                return true;
            }
        }
        return false;
    }

    boolean is(int i, Role role) {
        return i >= 0 && i < tokens.size() && tokens.get(i).is(role);
    }

    boolean isMark(int i, char mark) {
        return i >= 0 && i < tokens.size() && tokens.get(i).isMark(mark);
    }

    int value(int i, Role role, int otherwise) {
        return i >= 0 && i < tokens.size() ? tokens.get(i).roles().getOrDefault(role, otherwise) : otherwise;
    }

    @Nullable
    Choice choice(int i, Role role) {
        int value = value(i, role, -1);
        return value < 0 ? null : Choice.values()[value];
    }
}
