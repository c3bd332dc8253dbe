package dev.parley.channels.slack;

import dev.parley.channels.chat.markup.Dialect;
import dev.parley.channels.chat.markup.Element;
import dev.parley.channels.chat.markup.Element.Kind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Slack's mrkdwn, as the text of a section. Sizes are UTF-16 units.
 *
 * <p>It has no escapes for its own marks ({@code * _ ~ `}): those of a text are followed by a zero-width space, which is not
 * seen. Addresses become links here, for nothing else is to: neither {@code @channel} nor names of channels.
 *
 * @see <a href="https://docs.slack.dev/messaging/formatting-message-text">formatting</a>
 */
final class SlackMarkup implements Dialect {
    /** A section takes 3,000. */
    private static final int MOST_SIZE = 2_950;

    private static final int MOST_TEXT = 2_900;
    private static final int MOST_ELEMENTS = 200;
    private static final char APART = '\u200B';
    private static final Pattern URL = Pattern.compile("https?://[^\\s<>|]{1,2000}(?<![.,;:!?)'\"\\]*_~`])");
    private static final String MARKS = "*_~`";

    @Override
    public int mostText() {
        return MOST_TEXT;
    }

    @Override
    public int mostElements() {
        return MOST_ELEMENTS;
    }

    @Override
    public int mostSize() {
        return MOST_SIZE;
    }

    @Override
    public int size(char unit) {
        return switch (unit) {
            case '&' -> 5;
            case '<', '>' -> 4;
            case '\n', ':' -> 3; // a colon may be of an address, which is put into brackets
            default -> MARKS.indexOf(unit) >= 0 ? 2 : 1;
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

    /** What would end a link stands there in the form that addresses have for it. */
    private static String address(String address) {
        return escaped(address.replace("|", "%7C").replace("<", "%3C").replace(">", "%3E"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String escaped(String text, @Nullable Element place) {
        boolean code = Element.of(place, Kind.PRE) != null || Element.of(place, Kind.CODE) != null;
        boolean link = Element.of(place, Kind.LINK) != null;
        var out = new StringBuilder(text.length());
        int from = 0;
        if (!code && !link) {
            Matcher url = URL.matcher(text);
            while (url.find()) {
                escape(text.substring(from, url.start()), place, false, out);
                out.append('<').append(address(url.group())).append('>');
                from = url.end();
            }
        }
        escape(text.substring(from), place, code, out);
        return out.toString();
    }

    private static void escape(String text, @Nullable Element place, boolean code, StringBuilder out) {
        String line =
                Element.of(place, Kind.QUOTE) != null ? "\n> " : Element.of(place, Kind.LINK) != null ? " " : "\n";
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            switch (unit) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\n' -> out.append(line);
                case '`' -> out.append(unit).append(APART);
                case '*', '_', '~' -> out.append(unit).append(code ? "" : APART);
                default -> out.append(unit);
            }
        }
    }
}
