package dev.parley.channels.telegram;

import dev.parley.channels.chat.markup.Element;
import dev.parley.channels.chat.markup.Element.Kind;
import dev.parley.channels.chat.markup.MarkupDialect;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Telegram's HTML. Sizes are in bytes.
 *
 * @see <a href="https://core.telegram.org/bots/api#html-style">HTML style</a>
 */
public final class TelegramMarkup implements MarkupDialect {
    /** Telegram allows 4,096 code points, which are never more, 100 entities and 32,768 bytes. */
    private static final Limits LIMITS = new Limits(4_096, 90, 30_000);

    private static final int LONG_QUOTE = 800;
    private static final int LONG_QUOTE_LINES = 10;
    private static final String FOLDED = "<blockquote expandable>";

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public int size(char unit) {
        return switch (unit) {
            case '&' -> 5;
            case '<', '>' -> 4;
            case '"' -> 6;
            default -> unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
        };
    }

    @Override
    public int size(Element element) {
        String start = element.kind() == Kind.QUOTE ? FOLDED : start(element, "");
        return start.getBytes(StandardCharsets.UTF_8).length + end(element).length();
    }

    /** Long quotes are collapsed. */
    @Override
    public String start(Element element, String inside) {
        String argument = element.argument();
        return switch (element.kind()) {
            case QUOTE -> isLong(inside) ? FOLDED : "<blockquote>";
            case PRE -> argument.isEmpty() ? "<pre>" : "<pre><code class=\"language-" + argument + "\">";
            case CODE -> "<code>";
            case LINK -> "<a href=\"" + escape(argument, element) + "\">";
            case BOLD -> "<b>";
            case ITALIC -> "<i>";
            case STRIKE -> "<s>";
        };
    }

    private static boolean isLong(String quote) {
        return quote.length() > LONG_QUOTE
                || quote.chars().filter(unit -> unit == '\n').count() >= LONG_QUOTE_LINES;
    }

    @Override
    public String end(Element element) {
        return switch (element.kind()) {
            case QUOTE -> "</blockquote>";
            case PRE -> element.argument().isEmpty() ? "</pre>" : "</code></pre>";
            case CODE -> "</code>";
            case LINK -> "</a>";
            case BOLD -> "</b>";
            case ITALIC -> "</i>";
            case STRIKE -> "</s>";
        };
    }

    @Override
    public String escape(String text, @Nullable Element element) {
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            switch (unit) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> out.append(unit);
            }
        }
        return out.toString();
    }
}
