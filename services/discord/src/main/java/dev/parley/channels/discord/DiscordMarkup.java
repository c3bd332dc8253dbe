package dev.parley.channels.discord;

import dev.parley.channels.chat.markup.Element;
import dev.parley.channels.chat.markup.Element.Kind;
import dev.parley.channels.chat.markup.MarkupDialect;
import dev.parley.channels.contract.ClippedText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Discord's Markdown: without tables and images, and with additional meanings such as mentions. Sizes are in UTF-16
 * units of the whole message.
 *
 * @see <a href="https://docs.discord.com/developers/reference#message-formatting">message formatting</a>
 */
final class DiscordMarkup implements MarkupDialect {
    /** Limit of a message. */
    static final int MAX_LENGTH = 2_000;

    /** Reserves space for the prefix of a growing text. */
    private static final Limits LIMITS = new Limits(1_900, Integer.MAX_VALUE, MAX_LENGTH - 10);

    private static final String MARKS = "\\*_~`|<[@";
    private static final String MARKS_OF_LINES = ">#-";
    private static final String FENCE = "```";
    /** Invisible, and separates backticks. */
    private static final char ZERO_WIDTH_SPACE = '\u200B';

    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s<>]+");

    /** Literal text, at most one message. */
    static String fromPlain(String text) {
        String escaped = escape(text, false);
        return ClippedText.within(escaped, MAX_LENGTH);
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    /** Discord's apps for phones break longer lines of code. */
    @Override
    public int columns() {
        return 36;
    }

    @Override
    public int size(char unit) {
        boolean marks = MARKS.indexOf(unit) >= 0 || MARKS_OF_LINES.indexOf(unit) >= 0;
        return unit == '\n' ? 3 : marks ? 2 : 1; // a line of a quote begins with "> "
    }

    @Override
    public String start(Element element, String inside) {
        return switch (element.kind()) {
            case QUOTE -> "> ";
            case PRE -> FENCE + element.argument() + line(element);
            case CODE -> "``";
            case LINK -> isAddress(element) ? "[" : "";
            case BOLD -> "**";
            case ITALIC -> "*";
            case STRIKE -> "~~";
        };
    }

    @Override
    public String end(Element element) {
        return switch (element.kind()) {
            case QUOTE -> "";
            case PRE -> line(element) + FENCE;
            case CODE -> "``";
            case LINK -> isAddress(element) ? "](<" + address(element) + ">)" : " (" + address(element) + ")";
            case BOLD -> "**";
            case ITALIC -> "*";
            case STRIKE -> "~~";
        };
    }

    private static String line(Element element) {
        return Element.of(element, Kind.QUOTE) == null ? "\n" : "\n> ";
    }

    private static boolean isAddress(Element link) {
        return link.argument().startsWith("https://") || link.argument().startsWith("http://");
    }

    private static String address(Element link) {
        return link.argument().replace("<", "%3C").replace(">", "%3E").replace(" ", "%20");
    }

    @Override
    public String escape(String text, @Nullable Element element) {
        boolean quoted = Element.of(element, Kind.QUOTE) != null;
        if (Element.of(element, Kind.PRE) != null) {
            String code = text.replace(FENCE, "`" + ZERO_WIDTH_SPACE + "``");
            return quoted ? code.replace("\n", "\n> ") : code;
        }
        if (Element.of(element, Kind.CODE) != null) {
            String code = text.replace("``", "`" + ZERO_WIDTH_SPACE + "`");
            return (code.startsWith("`") ? ZERO_WIDTH_SPACE : "") + code + (code.endsWith("`") ? ZERO_WIDTH_SPACE : "");
        }
        return escape(text, quoted);
    }

    private static String escape(String text, boolean quoted) {
        var out = new StringBuilder(text.length() + 16);
        Matcher address = ADDRESS.matcher(text);
        int position = 0;
        while (address.find()) {
            escape(text, position, address.start(), quoted, out);
            out.append(address.group()); // in an address a backslash would be a part of it
            position = address.end();
        }
        escape(text, position, text.length(), quoted, out);
        return out.toString();
    }

    private static void escape(String text, int from, int to, boolean quoted, StringBuilder out) {
        for (int i = from; i < to; i++) {
            char unit = text.charAt(i);
            boolean startsLine = i == 0 || text.charAt(i - 1) == '\n';
            if (MARKS.indexOf(unit) >= 0 || startsLine && MARKS_OF_LINES.indexOf(unit) >= 0) {
                out.append('\\');
            }
            out.append(unit);
            if (quoted && unit == '\n') {
                out.append("> ");
            }
        }
    }
}
