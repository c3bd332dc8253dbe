package dev.parley.channels.chat.markup;

import java.util.Set;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Node;
import org.commonmark.parser.beta.InlineContentParser;
import org.commonmark.parser.beta.InlineContentParserFactory;
import org.commonmark.parser.beta.InlineParserState;
import org.commonmark.parser.beta.ParsedInline;
import org.commonmark.parser.beta.Position;
import org.commonmark.parser.beta.Scanner;

/**
 * An address without marks around it, as {@code https://example.org/_a_}: nothing in it is emphasis.
 *
 * @see <a href="https://github.github.com/gfm/#autolinks-extension-">GFM 6.9, extended autolinks</a>
 */
final class BareAddress extends CustomNode {
    private static final Set<String> BEGINNINGS = Set.of("http://", "https://", "ftp://", "mailto:", "www.");
    private static final int LONGEST_BEGINNING = 8;
    private static final String TRAILING = "?!.,:;*_~'\"";
    private static final String ENDS = "<>`|\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f\uff09\u300d\u300f\u3011\u300b";

    private final String literal;

    private BareAddress(String literal) {
        this.literal = literal;
    }

    String literal() {
        return literal;
    }

    /** The address to open: GFM reads {@code www.} as HTTP. */
    String destination() {
        return isWithoutScheme() ? "http://" + literal : literal;
    }

    boolean isWithoutScheme() {
        return literal.regionMatches(true, 0, "www.", 0, 4);
    }

    /** Reads addresses where they begin. */
    static final class Factory implements InlineContentParserFactory {
        @Override
        public Set<Character> getTriggerCharacters() {
            return Set.of('h', 'H', 'w', 'W', 'f', 'F', 'm', 'M');
        }

        @Override
        public InlineContentParser create() {
            return BareAddress::parse;
        }
    }

    private static ParsedInline parse(InlineParserState state) {
        Scanner scanner = state.scanner();
        int before = scanner.peekPreviousCodePoint();
        if (before < 0x80 && (Character.isLetterOrDigit(before) || "/.@-".indexOf(before) >= 0 && before > 0)) {
            return ParsedInline.none();
        }
        Position start = scanner.position();
        int beginning = readBeginning(scanner, start);
        if (beginning == 0) {
            return ParsedInline.none();
        }
        readRest(scanner);
        String text =
                withoutTrailing(scanner.getSource(start, scanner.position()).getContent());
        if (text.length() <= beginning) {
            return ParsedInline.none();
        }
        scanner.setPosition(start);
        for (int i = 0; i < text.length(); i++) {
            scanner.next();
        }
        Node node = new BareAddress(unescaped(text));
        return ParsedInline.of(node, scanner.position());
    }

    /** Up to a bracket that is opened outside: it may end the text of a link. */
    private static void readRest(Scanner scanner) {
        int brackets = 0;
        while (!isEnd(scanner.peek()) && (brackets > 0 || scanner.peek() != ']')) {
            brackets += scanner.peek() == '[' ? 1 : scanner.peek() == ']' ? -1 : 0;
            scanner.next();
        }
    }

    /** The length of the beginning here; 0 for none. */
    private static int readBeginning(Scanner scanner, Position start) {
        var read = new StringBuilder();
        while (read.length() < LONGEST_BEGINNING && !isEnd(scanner.peek())) {
            read.append(Character.toLowerCase(scanner.peek()));
            scanner.next();
            if (BEGINNINGS.contains(read.toString())) {
                return read.length();
            }
        }
        scanner.setPosition(start);
        return 0;
    }

    private static boolean isEnd(char unit) {
        return unit == Scanner.END
                || Character.isWhitespace(unit)
                || Character.isISOControl(unit)
                || ENDS.indexOf(unit) >= 0;
    }

    /** Without punctuation of the sentence, and without a closing parenthesis that is opened outside. */
    private static String withoutTrailing(String text) {
        int end = text.length();
        while (end > 0) {
            char last = text.charAt(end - 1);
            boolean unopened = last == ')' && isUnopened(text.substring(0, end));
            if (TRAILING.indexOf(last) < 0 && !unopened) {
                break;
            }
            end--;
        }
        return text.substring(0, end);
    }

    private static boolean isUnopened(String text) {
        return text.chars().filter(unit -> unit == ')').count()
                > text.chars().filter(unit -> unit == '(').count();
    }

    /** No address has a backslash: models escape what would be emphasis elsewhere. */
    private static String unescaped(String text) {
        return text.replaceAll("\\\\([*_~()\\[\\]&#-])", "$1").replace("&amp;", "&");
    }
}
