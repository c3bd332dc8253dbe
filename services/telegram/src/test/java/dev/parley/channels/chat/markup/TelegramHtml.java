package dev.parley.channels.chat.markup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parses HTML as Telegram's server does, with its errors, and is strict where the server silently repairs: what the
 * server would drop, cut off or split is an error here too.
 */
final class TelegramHtml {
    private static final Set<String> TAGS = Set.of(
            "a",
            "b",
            "strong",
            "i",
            "em",
            "u",
            "ins",
            "s",
            "strike",
            "del",
            "tg-spoiler",
            "span",
            "tg-emoji",
            "tg-time",
            "code",
            "pre",
            "blockquote");
    private static final Set<String> ALONE = Set.of("code", "pre");

    /** The visible text and its entities. */
    record Parsed(String text, List<Entity> entities) {
        /** The entities in short: <code>b:text</code>. */
        List<String> marks() {
            return entities.stream()
                    .map(entity -> entity.type()
                            + (entity.argument().isEmpty() ? "" : "=" + entity.argument())
                            + ":"
                            + text.substring(entity.start(), entity.end()))
                    .toList();
        }
    }

    record Entity(String type, String argument, int start, int end) {}

    private record Open(String tag, Map<String, String> attributes, int start) {}

    private final String html;
    private final StringBuilder text = new StringBuilder();
    private final List<Entity> entities = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private int at;

    private TelegramHtml(String html) {
        this.html = html;
    }

    /**
     * Parses a message as Telegram shows it.
     *
     * @throws IllegalArgumentException with the text of Telegram's error
     */
    static Parsed parse(String html) {
        if (html.getBytes(StandardCharsets.UTF_8).length > 32_768) {
            throw new IllegalArgumentException("text is too long");
        }
        return new TelegramHtml(html).parse();
    }

    private Parsed parse() {
        while (at < html.length()) {
            char unit = html.charAt(at);
            if (unit == '<') {
                tag();
            } else if (unit == '&') {
                text.append(reference());
            } else {
                text.append(unit);
                at++;
            }
        }
        if (!open.isEmpty()) {
            throw error("Can't find end tag corresponding to start tag \""
                    + open.peek().tag() + "\"");
        }
        checkText();
        return new Parsed(text.toString(), List.copyOf(entities));
    }

    private static IllegalArgumentException error(String text) {
        return new IllegalArgumentException("Bad Request: can't parse entities: " + text);
    }

    private IllegalArgumentException error(String text, int offset) {
        return error(text + " at byte offset " + bytes(offset));
    }

    private int bytes(int offset) {
        return html.substring(0, offset).getBytes(StandardCharsets.UTF_8).length;
    }

    // ---- the lexer

    private String reference() {
        int start = at++;
        int name = at;
        if (at < html.length() && html.charAt(at) == '#') {
            return number(start);
        }
        while (at < html.length() && Character.isLetter(html.charAt(at)) && html.charAt(at) < 0x80) {
            at++;
        }
        String value = switch (html.substring(name, at)) {
            case "lt" -> "<";
            case "gt" -> ">";
            case "amp" -> "&";
            case "quot" -> "\"";
            default -> "";
        };
        if (value.isEmpty()) {
            return html.substring(start, at);
        }
        at += at < html.length() && html.charAt(at) == ';' ? 1 : 0;
        return value;
    }

    private String number(int start) {
        at++;
        boolean hex = at < html.length() && html.charAt(at) == 'x';
        at += hex ? 1 : 0;
        int digits = at;
        while (at < html.length() && Character.digit(html.charAt(at), hex ? 16 : 10) >= 0) {
            at++;
        }
        if (at == digits || at - start >= 10) {
            return html.substring(start, at);
        }
        int code = Integer.parseInt(html.substring(digits, at), hex ? 16 : 10);
        if (code == 0 || code >= 0x10FFFF) {
            return html.substring(start, at);
        }
        at += at < html.length() && html.charAt(at) == ';' ? 1 : 0;
        return Character.toString(code);
    }

    private void tag() {
        int start = at++;
        boolean end = at < html.length() && html.charAt(at) == '/';
        at += end ? 1 : 0;
        String name = until(" \t\r\n>").toLowerCase(Locale.ROOT);
        if (end) {
            end(name, start);
        } else {
            start(name, start);
        }
    }

    private String until(String terminators) {
        int start = at;
        while (at < html.length() && terminators.indexOf(html.charAt(at)) < 0) {
            at++;
        }
        return html.substring(start, at);
    }

    private void blanks() {
        while (at < html.length() && Character.isWhitespace(html.charAt(at))) {
            at++;
        }
    }

    private void start(String name, int start) {
        if (at >= html.length()) {
            throw error("Unclosed start tag", start);
        }
        if (!TAGS.contains(name)) {
            throw error("Unsupported start tag \"" + name + "\"", start);
        }
        var attributes = new HashMap<String, String>();
        for (blanks(); at < html.length() && html.charAt(at) != '>'; blanks()) {
            String key = until("= \t\r\n>");
            if (key.isEmpty()) {
                throw error("Empty attribute name in the tag \"" + name + "\"", start);
            }
            attributes.put(key, at < html.length() && html.charAt(at) == '=' ? value(name, start) : "");
        }
        if (at >= html.length()) {
            throw error("Unclosed start tag \"" + name + "\"", start);
        }
        at++;
        if (name.equals("span") && !"tg-spoiler".equals(attributes.get("class"))) {
            throw error("Tag \"span\" must have class \"tg-spoiler\"", start);
        }
        checkNesting(name);
        open.push(new Open(name, attributes, text.length()));
    }

    private String value(String name, int start) {
        at++;
        char quote = at < html.length() ? html.charAt(at) : ' ';
        if (quote != '"' && quote != '\'') {
            String token = until(" \t\r\n>");
            if (!token.matches("[A-Za-z0-9.-]+")) {
                throw error("Unexpected end of name token", start);
            }
            return token.toLowerCase(Locale.ROOT);
        }
        var value = new StringBuilder();
        for (at++; at < html.length() && html.charAt(at) != quote; ) {
            value.append(html.charAt(at) == '&' ? reference() : String.valueOf(html.charAt(at++)));
        }
        if (at >= html.length()) {
            throw error("Unclosed start tag \"" + name + "\"", start);
        }
        at++;
        return value.toString();
    }

    private void end(String name, int start) {
        if (at >= html.length()) {
            throw error("Unclosed end tag", start);
        }
        blanks();
        at++;
        if (open.isEmpty()) {
            throw error("Unexpected end tag", start);
        }
        Open tag = open.pop();
        if (!name.isEmpty() && !name.equals(tag.tag())) {
            throw error("Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\""
                    .formatted(bytes(start), tag.tag(), name));
        }
        entity(tag);
    }

    // ---- entities

    private void entity(Open tag) {
        if (tag.start() == text.length()) {
            throw new IllegalArgumentException("empty " + tag.tag());
        }
        String language = tag.attributes().getOrDefault("class", "");
        Entity last = entities.isEmpty() ? null : entities.getLast();
        if (tag.tag().equals("pre") && last != null && last.type().equals("code") && last.start() == tag.start()) {
            if (last.end() != text.length() || last.argument().isEmpty()) {
                throw new IllegalArgumentException("code that is dropped in pre");
            }
            entities.set(entities.size() - 1, new Entity("pre", last.argument(), tag.start(), text.length()));
            return;
        }
        String argument = switch (tag.tag()) {
            case "a" -> link(tag.attributes().get("href"));
            case "code" -> language.startsWith("language-") ? language.substring(9) : "";
            case "blockquote" -> tag.attributes().containsKey("expandable") ? "expandable" : "";
            default -> "";
        };
        entities.add(new Entity(tag.tag(), argument, tag.start(), text.length()));
    }

    private static String link(String address) {
        if (address == null || !address.matches("(?i)https?://[^\\s/?#]+\\.[^\\s/?#]+([/?#]\\S*)?")) {
            throw new IllegalArgumentException("a link that is dropped: " + address);
        }
        return address;
    }

    private void checkNesting(String name) {
        Set<String> outer = open.stream().map(Open::tag).collect(Collectors.toSet());
        boolean language = name.equals("code")
                && !open.isEmpty()
                && open.peek().tag().equals("pre")
                && open.peek().start() == text.length();
        boolean inCode = !language && outer.stream().anyMatch(ALONE::contains);
        boolean codeIn = !language && ALONE.contains(name) && outer.stream().anyMatch(tag -> !tag.equals("blockquote"));
        boolean quoteIn = name.equals("blockquote") && !outer.isEmpty();
        if (inCode || codeIn || quoteIn || outer.contains(name)) {
            throw new IllegalArgumentException(name + " in " + outer + " is repaired");
        }
    }

    private void checkText() {
        if (!text.toString().equals(cleaned(text.toString()))) {
            throw new IllegalArgumentException("the text is cleaned");
        }
        if (text.codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)) {
            throw error("Text contains invalid Unicode characters after decoding HTML entities,"
                    + " check for unmatched surrogate code units");
        }
        int first = entities.stream().mapToInt(Entity::start).min().orElse(text.length());
        if (text.isEmpty() || first > 0 && isTrimmed(text.charAt(0)) || isTrimmed(text.charAt(text.length() - 1))) {
            throw new IllegalArgumentException("the text is trimmed");
        }
        if (text.codePoints().allMatch(TelegramHtml::isNothing)) {
            throw new IllegalArgumentException("Bad Request: text must be non-empty");
        }
        if (text.codePointCount(0, text.length()) > 4096) {
            throw new IllegalArgumentException("Bad Request: message is too long");
        }
        if (entities.size() > 100) {
            throw new IllegalArgumentException("entities are dropped");
        }
    }

    private static boolean isTrimmed(char unit) {
        return unit == ' ' || unit == '\n';
    }

    private static boolean isNothing(int point) {
        return Character.isWhitespace(point)
                || Character.isSpaceChar(point)
                || point >= 0x200B && point <= 0x200F
                || point == 0x180E
                || point == 0x2800
                || point == 0xFEFF
                || point == 0xFFFC
                || point >= 0xE0000 && point <= 0xE007F;
    }

    private static final Pattern BLANKED = Pattern.compile("[\\x00-\\x09\\x0B\\x0C\\x0E-\\x1F]");
    private static final Pattern REMOVED = Pattern.compile("[\\r\\u2028-\\u202E\\u0333\\u033F\\u030A]");
    private static final Pattern DIRECTED = Pattern.compile("[\\u200E\\u200F](?=[\\u200E\\u200F])");

    /** The text after Telegram has normalised its characters. */
    private static String cleaned(String text) {
        String visible = REMOVED.matcher(BLANKED.matcher(text).replaceAll(" ")).replaceAll("");
        return DIRECTED.matcher(visible).replaceAll("\u200C");
    }
}
