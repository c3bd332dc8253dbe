package dev.parley.channels.teams;

import dev.parley.channels.chat.markup.Element;
import dev.parley.channels.chat.markup.Element.Kind;
import dev.parley.channels.chat.markup.MarkupDialect;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Markdown of Teams' messages, which also knows HTML: three characters are written as entities, so that nothing is
 * a tag or a mention. A line ends with an empty one. Sizes are in UTF-16 units; a message of this size stays below
 * Teams' oldest limit of 28 KB, of which card and entities have a part.
 *
 * @see <a href="https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages">formatting</a>
 */
final class TeamsMarkup implements MarkupDialect {
    private static final Limits LIMITS = new Limits(8_000, 500, 10_000);
    private static final char ZERO_WIDTH_SPACE = '\u200B';
    private static final Pattern LONE_NEWLINE = Pattern.compile("(?<!\n)\n(?!\n)");
    private static final Pattern HEADING = Pattern.compile("(?m)^(#{1,6})(?=\\s)");

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public int size(char unit) {
        return switch (unit) {
            case '&' -> 5;
            case '<', '>' -> 4;
            case '\n' -> 5; // in a quote
            case '\\', '*', '_', '~', '[', ']', '`', '#' -> 2;
            default -> 1;
        };
    }

    @Override
    public int size(Element element) {
        return start(element, "").length() + end(element).length();
    }

    @Override
    public String start(Element element, String inside) {
        return switch (element.kind()) {
            case QUOTE -> "> ";
            case PRE -> "```\n";
            case CODE -> "`";
            case LINK -> "[";
            case BOLD -> "**";
            case ITALIC -> "*";
            case STRIKE -> "~~";
        };
    }

    @Override
    public String end(Element element) {
        return switch (element.kind()) {
            case QUOTE -> "";
            case PRE -> "\n```";
            case CODE -> "`";
            case LINK -> "](" + address(element.argument()) + ")";
            case BOLD -> "**";
            case ITALIC -> "*";
            case STRIKE -> "~~";
        };
    }

    /** Escapes the characters that would end a link. */
    private static String address(String address) {
        return address.replace("(", "%28")
                .replace(")", "%29")
                .replace("<", "%3C")
                .replace(">", "%3E")
                .replace(" ", "%20");
    }

    @Override
    public String escape(String text, @Nullable Element element) {
        boolean quoted = Element.of(element, Kind.QUOTE) != null;
        if (Element.of(element, Kind.PRE) != null || Element.of(element, Kind.CODE) != null) {
            String code = text.replace("`", "`" + ZERO_WIDTH_SPACE);
            return quoted ? code.replace("\n", "\n> ") : code;
        }
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            switch (unit) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\\', '*', '[', ']', '`' -> out.append('\\').append(unit);
                case '_' -> out.append(isInWord(text, i) ? "" : "\\").append(unit);
                case '~' -> out.append(isDouble(text, i) ? "\\" : "").append(unit);
                default -> out.append(unit);
            }
        }
        String escaped = HEADING.matcher(out).replaceAll("\\\\$1");
        return quoted
                ? escaped.replace("\n", "\n>\n> ")
                : LONE_NEWLINE.matcher(escaped).replaceAll("\n\n");
    }

    /** An underscore between letters is no mark. */
    private static boolean isInWord(String text, int position) {
        return position > 0
                && position + 1 < text.length()
                && Character.isLetterOrDigit(text.charAt(position - 1))
                && Character.isLetterOrDigit(text.charAt(position + 1));
    }

    private static boolean isDouble(String text, int position) {
        return (position > 0 && text.charAt(position - 1) == '~')
                || (position + 1 < text.length() && text.charAt(position + 1) == '~');
    }
}
