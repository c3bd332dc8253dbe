package dev.parley.tools.web;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/**
 * Converts a page to text: its title, then blocks separated by empty lines, headings with {@code #}, links as
 * {@code [text](url)}. Invisible elements and navigation are omitted.
 */
final class PageText implements NodeFilter {
    private static final Set<String> OMITTED = Set.of(
            "head",
            "script",
            "style",
            "noscript",
            "template",
            "nav",
            "svg",
            "math",
            "iframe",
            "object",
            "canvas",
            "audio",
            "video",
            "select",
            "textarea",
            "button",
            "dialog");
    private static final Pattern HIDDEN = Pattern.compile("(?i)display\\s*:\\s*none|visibility\\s*:\\s*hidden");
    private static final Pattern HEADING = Pattern.compile("h[1-6]");
    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final int MAX_LINK = 2_000;

    private final StringBuilder text = new StringBuilder();
    private final int max;
    /** The positions where open links begin. */
    private final Deque<Integer> links = new ArrayDeque<>();
    /** The number of open {@code pre} elements, which preserve whitespace. */
    private int preformatted;

    private PageText(int max) {
        this.max = max;
    }

    /**
     * The text of a page.
     *
     * @param max the approximate maximum of characters, after which conversion stops
     */
    static String of(Document page, int max) {
        var text = new PageText(max);
        String title = page.title();
        if (!title.isBlank()) {
            text.text.append("# ").append(title);
        }
        text.blocks(2);
        page.filter(text);
        return text.text.toString().strip();
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (text.length() > max) {
            return FilterResult.STOP;
        }
        if (node instanceof TextNode textNode) {
            append(textNode.getWholeText());
        } else if (node instanceof Element element) {
            if (isOmitted(element)) {
                return FilterResult.SKIP_ENTIRELY;
            }
            open(element);
        }
        return FilterResult.CONTINUE;
    }

    private static boolean isOmitted(Element element) {
        return OMITTED.contains(element.normalName())
                || element.hasAttr("hidden")
                || element.attr("aria-hidden").equals("true")
                || element.hasAttr("style")
                        && HIDDEN.matcher(element.attr("style")).find();
    }

    private void append(String content) {
        if (preformatted > 0) {
            text.append(content);
            return;
        }
        String plain = SPACES.matcher(content).replaceAll(" ");
        boolean afterSpace = text.isEmpty() || Character.isWhitespace(text.charAt(text.length() - 1));
        text.append(afterSpace ? plain.stripLeading() : plain);
    }

    private void open(Element element) {
        String name = element.normalName();
        switch (name) {
            case "a" -> links.push(text.length());
            case "br" -> text.append('\n');
            case "pre" -> {
                blocks(2);
                preformatted++;
            }
            case "li" -> {
                blocks(1);
                text.append("- ");
            }
            case "tr" -> blocks(1);
            case "td", "th" -> {
                if (element.previousElementSibling() != null) {
                    append(" | ");
                }
            }
            default -> openBlock(element, name);
        }
    }

    private void openBlock(Element element, String name) {
        if (element.isBlock()) {
            blocks(2);
        }
        if (HEADING.matcher(name).matches()) {
            text.repeat('#', name.charAt(1) - '0').append(' ');
        }
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element element) {
            switch (element.normalName()) {
                case "a" -> link(element);
                case "pre" -> {
                    preformatted--;
                    blocks(2);
                }
                case "li", "tr" -> blocks(1);
                case "td", "th" -> {}
                default -> {
                    if (element.isBlock()) {
                        blocks(2);
                    }
                }
            }
        }
        return FilterResult.CONTINUE;
    }

    private void link(Element element) {
        int start = links.pop();
        String url = element.attr("href").length() > MAX_LINK ? "" : element.absUrl("href");
        boolean isWebUrl = url.startsWith("http://") || url.startsWith("https://");
        while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        if (isWebUrl && start < text.length()) {
            text.insert(start, '[').append("](").append(url.replace(")", "%29")).append(')');
        }
    }

    /** Ends a block with at least this many line feeds, and at most one empty line. */
    private void blocks(int lineFeeds) {
        int length = text.length();
        int existing = 0;
        while (length > 0 && Character.isWhitespace(text.charAt(length - 1))) {
            length--;
            existing += text.charAt(length) == '\n' ? 1 : 0;
        }
        text.setLength(length);
        if (length > 0) {
            text.repeat('\n', Math.min(2, Math.max(existing, lineFeeds)));
        }
    }
}
