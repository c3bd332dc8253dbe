package dev.parley.domain;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which characters names may have, so that no name reads as another one. Hidden are characters without a shape
 * of their own: controls, direction marks and overrides, zero-width characters, tags, and variation selectors; joiners
 * and selectors count as visible where a script or an emoji needs them.
 *
 * <ul>
 *   <li>Identifiers ({@link #problemOfKey}) have none of them, are in normal form NFKC, and mix no scripts in a word.
 *   <li>Texts for people ({@link #problemOfText}, {@link #cleaned}) have no hidden characters.
 *   <li>Names of files from outside become safe ones ({@link #ofFile}).
 *   <li>What a person has to judge shows them ({@link #visible}).
 *   <li>Comparisons of what people read are made by {@link #fold}.
 * </ul>
 *
 * @see <a href="https://www.unicode.org/reports/tr39/">Unicode security mechanisms</a>
 */
public final class Names {
    /** Maximum UTF-16 units of a file's name. */
    private static final int MAX_FILE = 255;

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}]+");
    private static final Pattern NOT_IN_FILES = Pattern.compile("[\\p{Cc}/\\\\<>:\"|?*\\uFFFD]");
    private static final Pattern EDGES = Pattern.compile("^\\p{Z}+|[\\p{Z}.]+$");
    private static final Pattern DEVICE = Pattern.compile("(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?");

    /** Scripts that are written together in one word. */
    private static final List<Set<UnicodeScript>> TOGETHER = List.of(
            EnumSet.of(UnicodeScript.LATIN, UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA),
            EnumSet.of(UnicodeScript.LATIN, UnicodeScript.HAN, UnicodeScript.BOPOMOFO),
            EnumSet.of(UnicodeScript.LATIN, UnicodeScript.HAN, UnicodeScript.HANGUL));

    /** Scripts in which joiners and non-joiners choose between shapes of letters. */
    private static final Set<UnicodeScript> JOINING = EnumSet.of(
            UnicodeScript.ARABIC,
            UnicodeScript.SYRIAC,
            UnicodeScript.MONGOLIAN,
            UnicodeScript.NKO,
            UnicodeScript.DEVANAGARI,
            UnicodeScript.BENGALI,
            UnicodeScript.GURMUKHI,
            UnicodeScript.GUJARATI,
            UnicodeScript.ORIYA,
            UnicodeScript.TAMIL,
            UnicodeScript.TELUGU,
            UnicodeScript.KANNADA,
            UnicodeScript.MALAYALAM,
            UnicodeScript.SINHALA,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR,
            UnicodeScript.TIBETAN);

    /** Latin letters, each with the letters of other alphabets that look like it. */
    private static final Map<Integer, Integer> LOOK_ALIKES = lookAlikes("aаɑα bЬь cсϲ dԁ eе gԍɡց hһհ iіιı jјյ kκ lӏ"
            + " nո oоοօ pрρ qԛզ rг sѕ uυս vνѵ wԝ xхχ yуγ AАΑ BВΒ CСϹ EЕΕ HНΗ IІΙӀ JЈ KКΚ MМΜ NΝ OОΟՕ PРΡ SЅՏ TТΤ XХΧ"
            + " YУΥҮ ZΖ");

    /** Characters that look like a colon. */
    private static final String COLONS = "\u02d0\u02f8\u0589\u05c3\u0703\u0704\u16ec\u1804\u205a\u2236\ua789";

    private static final int CANCEL_TAG = 0xE007F;
    private static final int BLACK_FLAG = 0x1F3F4;
    private static final int KEYCAP = 0x20E3;

    private Names() {}

    private static Map<Integer, Integer> lookAlikes(String groups) {
        return Arrays.stream(groups.split(" "))
                .flatMap(group -> group.chars().skip(1).mapToObj(letter -> Map.entry(letter, (int) group.charAt(0))))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue, (first, _) -> first));
    }

    /**
     * What makes an identifier read as another one, as the end of a sentence that begins with its name; empty for
     * nothing.
     */
    public static Optional<String> problemOfKey(String key) {
        return key.codePoints()
                .boxed()
                .flatMap(point -> problemInKey(point).stream())
                .findFirst()
                .or(() -> problemOfForm(key))
                .or(() -> WORD.matcher(key)
                        .results()
                        .map(MatchResult::group)
                        .filter(Names::mixesScripts)
                        .map(word -> "mixes letters of several scripts in '" + word + "'")
                        .findFirst())
                .or(() -> problemOfSpace(key));
    }

    private static Optional<String> problemInKey(int point) {
        if (isHidden(point) || Character.getType(point) == Character.PRIVATE_USE) {
            return Optional.of("contains " + described(point) + ", which cannot be seen");
        }
        if (Character.isSpaceChar(point) || point == 0x2800) {
            return Optional.of("contains " + described(point) + ", which looks like a space");
        }
        String form = Normalizer.normalize(Character.toString(point), Normalizer.Form.NFKC);
        return form.equals(Character.toString(point))
                ? Optional.empty()
                : Optional.of("contains " + described(point) + ", which reads as '" + form + "'");
    }

    private static Optional<String> problemOfForm(String key) {
        String form = Normalizer.normalize(key, Normalizer.Form.NFKC);
        if (form.equals(key)) {
            return Optional.empty();
        }
        int point = key.codePointAt(mismatch(form, key));
        return Optional.of(
                "contains " + described(point) + " in a form that is not composed; write it as '" + form + "'");
    }

    private static int mismatch(String one, String other) {
        int end = Math.min(one.length(), other.length());
        return IntStream.range(0, end)
                .filter(i -> one.charAt(i) != other.charAt(i))
                .findFirst()
                .orElse(Math.min(end, other.length() - 1));
    }

    private static boolean mixesScripts(String word) {
        var scripts = EnumSet.noneOf(UnicodeScript.class);
        word.codePoints().mapToObj(UnicodeScript::of).forEach(scripts::add);
        scripts.remove(UnicodeScript.COMMON);
        scripts.remove(UnicodeScript.INHERITED);
        return scripts.size() > 1 && TOGETHER.stream().noneMatch(together -> together.containsAll(scripts));
    }

    /** What stands before the first colon says whose a key is; it must not look like the name of something else. */
    private static Optional<String> problemOfSpace(String key) {
        String space = key.substring(0, Math.max(0, key.indexOf(':')));
        String latin = latin(space);
        return latin.equals(space) || !isAscii(latin)
                ? Optional.empty()
                : Optional.of("begins with " + described(firstForeign(space)) + " and so looks like '" + latin + ":'");
    }

    private static String latin(String text) {
        return text.codePoints()
                .map(point -> LOOK_ALIKES.getOrDefault(point, point))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /**
     * A text as people read it, for comparison: two that look alike have the same fold. Case, hidden characters, and
     * letters and colons of other alphabets do not count.
     */
    public static String fold(String text) {
        if (isAscii(text)) {
            return text.toLowerCase(Locale.ROOT);
        }
        String seen = Normalizer.normalize(text, Normalizer.Form.NFKC)
                .codePoints()
                .filter(point -> !isHidden(point) && Character.getType(point) != Character.PRIVATE_USE)
                .map(point -> COLONS.indexOf(point) >= 0 ? ':' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        // The capitals of some letters look alike, and the small letters of others.
        return latin(latin(latin(seen).toUpperCase(Locale.ROOT)).toLowerCase(Locale.ROOT));
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(unit -> unit < 0x80);
    }

    private static int firstForeign(String text) {
        return text.codePoints().filter(point -> point >= 0x80).findFirst().orElseThrow();
    }

    /**
     * What makes a text of one line, such as a display name or a title, read as another one, as the end of a sentence
     * that begins with its name; empty for nothing.
     */
    public static Optional<String> problemOfText(String text) {
        return points(text)
                .filter(i -> isMeaningless(text, i))
                .mapToObj(text::codePointAt)
                .map(point -> "contains " + described(point) + ", which cannot be seen")
                .findFirst();
    }

    /** A text of one line, in normal form NFC and without hidden characters: for texts from outside. */
    public static String cleaned(String text) {
        String kept = isPlain(text) ? text : replaced(text, point -> Character.isWhitespace(point) ? " " : "");
        return Normalizer.normalize(kept, Normalizer.Form.NFC);
    }

    /** A text for a person who has to judge it: hidden characters, except for line ends and tabs, are escaped. */
    public static String visible(String text) {
        return isPlain(text) ? text : replaced(text, Names::escapedUnlessLayout);
    }

    private static String escapedUnlessLayout(int point) {
        return point == '\n' || point == '\t' ? Character.toString(point) : escaped(point);
    }

    /** As in JSON, such as {@code \u202E}. */
    private static String escaped(int point) {
        return Character.toString(point)
                .chars()
                .mapToObj(unit -> "\\u" + HexFormat.of().withUpperCase().toHexDigits((char) unit))
                .collect(Collectors.joining());
    }

    /**
     * A safe name for a file whose name comes from outside: not a path, in normal form NFC, without hidden characters
     * and those that file systems reserve, at most 255 characters.
     */
    public static String ofFile(String name) {
        String safe = NOT_IN_FILES.matcher(cleaned(name)).replaceAll("_");
        String end = safe.substring(start(safe));
        String trimmed = EDGES.matcher(end).replaceAll("");
        return trimmed.isEmpty() ? "file" : DEVICE.matcher(trimmed).matches() ? "_" + trimmed : trimmed;
    }

    /** Where the last characters begin, which have the kind of the file. */
    private static int start(String name) {
        int start = Math.max(0, name.length() - MAX_FILE);
        return start > 0 && Character.isLowSurrogate(name.charAt(start)) ? start + 1 : start;
    }

    private static String replaced(String text, Function<Integer, String> replacement) {
        return points(text)
                .mapToObj(i -> isMeaningless(text, i)
                        ? replacement.apply(text.codePointAt(i))
                        : Character.toString(text.codePointAt(i)))
                .collect(Collectors.joining());
    }

    /** Whether a text has only letters and marks of the first blocks of Unicode, as most do. */
    private static boolean isPlain(String text) {
        return text.chars()
                .allMatch(unit -> unit >= ' ' && unit < 0x300 && (unit < 0x7F || unit > 0x9F) && unit != 0xAD);
    }

    /** The indices of code points. */
    private static IntStream points(String text) {
        return IntStream.range(0, text.length())
                .filter(i -> i == 0
                        || !Character.isLowSurrogate(text.charAt(i))
                        || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    /** {@code U+202E (RIGHT-TO-LEFT OVERRIDE)}. */
    private static String described(int point) {
        String name = Character.getName(point);
        return String.format(Locale.ROOT, "U+%04X", point) + (name == null ? "" : " (" + name + ")");
    }

    /** Whether the character at this index is hidden, and nothing around it needs it. */
    private static boolean isMeaningless(String text, int i) {
        int point = text.codePointAt(i);
        if (!isHidden(point)) {
            return false;
        }
        @Nullable Integer before = i == 0 ? null : text.codePointBefore(i);
        int end = i + Character.charCount(point);
        @Nullable Integer after = end == text.length() ? null : text.codePointAt(end);
        return before == null
                || switch (Kind.of(point)) {
                    case JOINER ->
                        after == null
                                || !(joins(before, after) || (point == 0x200D && isEmoji(before) && isEmoji(after)));
                    case EMOJI_SELECTOR ->
                        !Character.isEmoji(before) || (before < 0x80 && (after == null || after != KEYCAP));
                    case SELECTOR -> UnicodeScript.of(before) != UnicodeScript.HAN;
                    case MONGOLIAN_SELECTOR -> UnicodeScript.of(before) != UnicodeScript.MONGOLIAN;
                    case TAG -> !isOfFlag(text, i);
                    case OTHER -> true;
                };
    }

    private static boolean joins(int before, int after) {
        return isJoining(before) && isJoining(after);
    }

    private static boolean isJoining(int point) {
        return (Character.isLetter(point)
                        || Character.getType(point) == Character.NON_SPACING_MARK
                        || Character.getType(point) == Character.COMBINING_SPACING_MARK)
                && JOINING.contains(UnicodeScript.of(point));
    }

    private static boolean isEmoji(int point) {
        return (point >= 0x80 && Character.isEmoji(point)) || point == 0xFE0F;
    }

    /** Whether a tag belongs to a flag: the black flag, tags, and the one that ends them. */
    private static boolean isOfFlag(String text, int index) {
        int from = index;
        while (from > 0 && Kind.of(text.codePointBefore(from)) == Kind.TAG) {
            from -= 2;
        }
        int to = index;
        while (to < text.length() && Kind.of(text.codePointAt(to)) == Kind.TAG && text.codePointAt(to) != CANCEL_TAG) {
            to += 2;
        }
        return from > 0
                && text.codePointBefore(from) == BLACK_FLAG
                && to < text.length()
                && text.codePointAt(to) == CANCEL_TAG
                && to > from;
    }

    /** Whether a character has no shape of its own. */
    private static boolean isHidden(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            case Character.FORMAT -> !isVisibleFormat(point);
            default -> isIgnorable(point);
        };
    }

    /** Signs of Arabic, Syriac, Kaithi and hieroglyphs that are drawn around what follows. */
    private static boolean isVisibleFormat(int point) {
        return point >= 0x600 && point <= 0x605
                || point >= 0x890 && point <= 0x891
                || point >= 0x13430 && point <= 0x1345F
                || Set.of(0x6DD, 0x70F, 0x8E2, 0x110BD, 0x110CD).contains(point);
    }

    /** Unicode's Default_Ignorable_Code_Point outside of the format characters, and noncharacters. */
    private static boolean isIgnorable(int point) {
        return point == 0x34F
                || point >= 0x115F && point <= 0x1160
                || point >= 0x17B4 && point <= 0x17B5
                || point >= 0x180B && point <= 0x180F
                || point >= 0x2060 && point <= 0x206F
                || point == 0x3164
                || point == 0xFFA0
                || point >= 0xFE00 && point <= 0xFE0F
                || point >= 0xFFF0 && point <= 0xFFFB
                || point >= 0xFDD0 && point <= 0xFDEF
                || (point & 0xFFFE) == 0xFFFE
                || point >= 0xE0000 && point <= 0xE0FFF;
    }

    /** Hidden characters by where they mean something. */
    private enum Kind {
        JOINER,
        EMOJI_SELECTOR,
        SELECTOR,
        MONGOLIAN_SELECTOR,
        TAG,
        OTHER;

        static Kind of(int point) {
            if (point == 0x200C || point == 0x200D) {
                return JOINER;
            }
            if (point == 0xFE0E || point == 0xFE0F) {
                return EMOJI_SELECTOR;
            }
            if (point >= 0xFE00 && point <= 0xFE02 || point >= 0xE0100 && point <= 0xE01EF) {
                return SELECTOR;
            }
            if (point >= 0x180B && point <= 0x180F && point != 0x180E) {
                return MONGOLIAN_SELECTOR;
            }
            return point >= 0xE0020 && point <= CANCEL_TAG ? TAG : OTHER;
        }
    }
}
