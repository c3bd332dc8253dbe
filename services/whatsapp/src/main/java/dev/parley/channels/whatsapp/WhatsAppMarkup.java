package dev.parley.channels.whatsapp;

import dev.parley.channels.chat.markup.Element;
import dev.parley.channels.chat.markup.Element.Kind;
import dev.parley.channels.chat.markup.MarkupDialect;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * WhatsApp's formatting, as the text of a message. Sizes are in UTF-16 units.
 *
 * <p>It has no escapes for its own marks ({@code * _ ~ `}): those that could begin or end a format are followed by an
 * invisible zero-width space. It has no named links: the address follows the name.
 *
 * @see <a href="https://faq.whatsapp.com/539178204879377">formatting</a>
 */
final class WhatsAppMarkup implements MarkupDialect {
    /** A message has at most 4,096 characters. */
    private static final Limits LIMITS = new Limits(4_000, 1_000, 4_090);

    private static final char ZERO_WIDTH_SPACE = '\u200B';
    private static final Pattern URL = Pattern.compile("https?://[^\\s<>]{1,2000}(?<![.,;:!?)'\"\\]*_~`])");
    private static final String MARKS = "*_~`";

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public int size(char unit) {
        return unit == '\n' ? 3 : MARKS.indexOf(unit) >= 0 ? 2 : 1;
    }

    /** WhatsApp reads a mark beside a letter as text. */
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
            case BOLD -> "*";
            case ITALIC -> "_";
            case STRIKE -> "~";
            case LINK -> "";
        };
    }

    @Override
    public String end(Element element) {
        return switch (element.kind()) {
            case QUOTE -> "";
            case PRE -> "\n```";
            case CODE -> "`";
            case BOLD -> "*";
            case ITALIC -> "_";
            case STRIKE -> "~";
            case LINK -> " (" + element.argument() + ")";
        };
    }

    /** An address that is its own name is written once. */
    @Override
    public String end(Element element, String inside) {
        return element.kind() == Kind.LINK && isAddress(element, inside) ? "" : end(element);
    }

    private static boolean isAddress(Element link, String inside) {
        return link.argument().equals(inside) || link.argument().endsWith("//" + inside);
    }

    @Override
    public String escape(String text, @Nullable Element element) {
        Element link = Element.of(element, Kind.LINK);
        if (link != null && isAddress(link, text)) {
            return text; // an address has no marks
        }
        boolean isCode = Element.of(element, Kind.PRE) != null || Element.of(element, Kind.CODE) != null;
        String line = Element.of(element, Kind.QUOTE) != null ? "\n> " : "\n";
        var out = new StringBuilder(text.length());
        int from = 0;
        Matcher url = URL.matcher(text);
        while (!isCode && url.find()) {
            escape(text, from, url.start(), line, false, out);
            out.append(url.group());
            from = url.end();
        }
        escape(text, from, text.length(), line, isCode, out);
        return out.toString();
    }

    private static void escape(String text, int from, int to, String line, boolean isCode, StringBuilder out) {
        for (int i = from; i < to; i++) {
            char unit = text.charAt(i);
            if (unit == '\n') {
                out.append(line);
            } else {
                boolean isMark = MARKS.indexOf(unit) >= 0 && (isCode ? unit == '`' : !isInWord(text, i));
                out.append(unit).append(isMark ? String.valueOf(ZERO_WIDTH_SPACE) : "");
            }
        }
    }

    /** Between two letters or digits a mark is text, as in {@code snake_case}. */
    private static boolean isInWord(String text, int position) {
        return position > 0
                && position < text.length() - 1
                && Character.isLetterOrDigit(text.charAt(position - 1))
                && Character.isLetterOrDigit(text.charAt(position + 1));
    }
}
