package dev.parley.channels.slack;

import dev.parley.channels.chat.markup.Element;
import dev.parley.channels.chat.markup.Element.Kind;
import dev.parley.channels.chat.markup.MarkupDialect;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Slack's mrkdwn, as the text of a section. Sizes are in UTF-16 units.
 *
 * <p>It has no escapes for its own marks ({@code * _ ~ `}), which are followed by an invisible zero-width space. Only
 * URLs become links: neither {@code @channel} nor channel names.
 *
 * @see <a href="https://docs.slack.dev/messaging/formatting-message-text">formatting</a>
 */
final class SlackMarkup implements MarkupDialect {
    /** A section allows a size of 3,000. */
    private static final Limits LIMITS = new Limits(2_900, 200, 2_950);

    private static final char ZERO_WIDTH_SPACE = '\u200B';
    private static final Pattern URL = Pattern.compile("https?://[^\\s<>|]{1,2000}(?<![.,;:!?)'\"\\]*_~`])");
    private static final String MARKS = "*_~`";

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public int size(char unit) {
        return switch (unit) {
            case '&' -> 5;
            case '<', '>' -> 4;
            case '\n', ':' -> 3; // a colon may belong to an address, which is put into brackets
            default -> MARKS.indexOf(unit) >= 0 ? 2 : 1;
        };
    }

    /** Slack reads a mark beside a letter as text: languages without blanks between words have no other place for it. */
    @Override
    public String joint(Element element) {
        return switch (element.kind()) {
            case BOLD, ITALIC, STRIKE, CODE -> String.valueOf(ZERO_WIDTH_SPACE);
            case QUOTE, PRE, LINK -> "";
        };
    }

    @Override
    public String start(Element element, String inside) {
        return switch (element.kind()) {
            case QUOTE -> "> ";
            case PRE -> "```\n";
            case CODE -> "`";
            case LINK -> "<" + address(element.argument()) + "|";
            case BOLD -> "*";
            case ITALIC -> "_";
            case STRIKE -> "~";
        };
    }

    @Override
    public String end(Element element) {
        return switch (element.kind()) {
            case QUOTE -> "";
            case PRE -> "\n```";
            case CODE -> "`";
            case LINK -> ">";
            case BOLD -> "*";
            case ITALIC -> "_";
            case STRIKE -> "~";
        };
    }

    /** Escapes the characters that would end a link. */
    private static String address(String address) {
        return SlackText.escape(address.replace("|", "%7C").replace("<", "%3C").replace(">", "%3E"));
    }

    @Override
    public String escape(String text, @Nullable Element element) {
        boolean code = Element.of(element, Kind.PRE) != null || Element.of(element, Kind.CODE) != null;
        Element linked = Element.of(element, Kind.LINK);
        boolean link = linked != null;
        if (linked != null && linked.argument().endsWith("//" + text)) {
            return SlackText.escape(text); // an address has no marks
        }
        var out = new StringBuilder(text.length());
        int from = 0;
        if (!code && !link) {
            Matcher url = URL.matcher(text);
            while (url.find()) {
                escape(text.substring(from, url.start()), element, false, out);
                out.append('<').append(address(url.group())).append('>');
                from = url.end();
            }
        }
        escape(text.substring(from), element, code, out);
        return out.toString();
    }

    private static void escape(String text, @Nullable Element element, boolean code, StringBuilder out) {
        String line =
                Element.of(element, Kind.QUOTE) != null ? "\n> " : Element.of(element, Kind.LINK) != null ? " " : "\n";
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            switch (unit) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\n' -> out.append(line);
                case '`' -> out.append(unit).append(ZERO_WIDTH_SPACE);
                case '*', '_', '~' -> out.append(unit).append(code ? "" : ZERO_WIDTH_SPACE);
                default -> out.append(unit);
            }
        }
    }
}
