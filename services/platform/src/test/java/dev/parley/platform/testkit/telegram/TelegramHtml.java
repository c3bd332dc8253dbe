package dev.parley.platform.testkit.telegram;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses {@code parse_mode=HTML} by Telegram's rules, with its error messages. */
final class TelegramHtml {
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("b", "bold"),
            Map.entry("strong", "bold"),
            Map.entry("i", "italic"),
            Map.entry("em", "italic"),
            Map.entry("u", "underline"),
            Map.entry("ins", "underline"),
            Map.entry("s", "strikethrough"),
            Map.entry("strike", "strikethrough"),
            Map.entry("del", "strikethrough"),
            Map.entry("tg-spoiler", "spoiler"),
            Map.entry("span", "spoiler"),
            Map.entry("tg-emoji", "custom_emoji"),
            Map.entry("tg-time", "date_time"),
            Map.entry("a", "text_link"),
            Map.entry("code", "code"),
            Map.entry("pre", "pre"),
            Map.entry("blockquote", "blockquote"));
    private static final Set<String> NAMED = Set.of("lt", "gt", "amp", "quot");
    private static final Pattern LINK = Pattern.compile(
            "(?i)(tg|ton)://\\S+|(https?://)?[\\p{L}\\d_-]+(\\.[\\p{L}\\d_-]+)*\\.[\\p{L}\\d-]{2,}(:\\d+)?([/?#]\\S*)?");
    private static final Pattern PERSON = Pattern.compile("(?i)tg://user\\?id=(\\d+)");

    private record Open(String tag, String argument, int offset) {}

    private final String in;
    private final StringBuilder out = new StringBuilder();
    private final List<Entity> entities = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private int i;

    private TelegramHtml(String in) {
        this.in = in;
    }

    /**
     * The text without tags, and its entities as they were closed.
     *
     * @throws ApiError if it cannot be parsed
     */
    static FormattedText parse(String html) {
        return new TelegramHtml(html).parse();
    }

    private FormattedText parse() {
        while (i < in.length()) {
            if (at(i) == '<') {
                if (at(i + 1) == '/') {
                    endTag();
                } else {
                    startTag();
                }
            } else if (!reference(out)) {
                out.append(in.charAt(i++));
            }
        }
        if (!open.isEmpty()) {
            throw error("Can't find end tag corresponding to start tag \""
                    + open.peek().tag() + '"');
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(out)) {
            throw error("Text contains invalid Unicode characters after decoding HTML entities, "
                    + "check for unmatched surrogate code units");
        }
        entities.replaceAll(e -> e.type().equals("code") ? new Entity("code", e.offset(), e.length(), "") : e);
        return new FormattedText(out.toString(), entities);
    }

    private void startTag() {
        int tagStart = i++;
        while (!space(at(i)) && at(i) != '>') {
            i++;
        }
        String tag = in.substring(tagStart + 1, i).toLowerCase(Locale.ROOT);
        if (i >= in.length()) {
            throw error("Unclosed start tag" + offset(tagStart));
        }
        if (!TYPES.containsKey(tag)) {
            throw error("Unsupported start tag \"" + tag + '"' + offset(tagStart));
        }
        String argument = attributes(tag, tagStart);
        if (tag.equals("span") && !argument.equals("tg-spoiler")) {
            throw error("Tag \"span\" must have class \"tg-spoiler\"" + offset(tagStart));
        }
        i++;
        open.push(new Open(tag, argument, out.length()));
    }

    private String attributes(String tag, int tagStart) {
        String argument = "";
        while (true) {
            spaces();
            if (at(i) == '>') {
                return argument;
            }
            int start = i;
            while (!space(at(i)) && "=>/\"'".indexOf(at(i)) < 0) {
                i++;
            }
            String name = in.substring(start, i);
            if (i >= in.length()) {
                throw unclosed(tag, tagStart);
            }
            if (name.isEmpty()) {
                throw error("Empty attribute name in the tag \"" + tag + '"' + offset(tagStart));
            }
            spaces();
            String value = at(i) == '=' ? value(tag, tagStart) : "";
            argument = argument(tag, name, value, argument);
        }
    }

    private String value(String tag, int tagStart) {
        i++;
        spaces();
        var value = new StringBuilder();
        char quote = at(i);
        if (quote == '"' || quote == '\'') {
            i++;
            while (i < in.length() && at(i) != quote) {
                if (!reference(value)) {
                    value.append(in.charAt(i++));
                }
            }
            i++;
        } else {
            int start = i;
            while (i < in.length() && (at(i) < 128 && Character.isLetterOrDigit(at(i)) || ".-".indexOf(at(i)) >= 0)) {
                i++;
            }
            if (i < in.length() && !space(at(i)) && at(i) != '>') {
                throw error("Unexpected end of name token" + offset(start));
            }
            value.append(in.substring(start, i).toLowerCase(Locale.ROOT));
        }
        if (i >= in.length()) {
            throw unclosed(tag, tagStart);
        }
        return value.toString();
    }

    private static String argument(String tag, String name, String value, String before) {
        return switch (tag + '@' + name) {
            case "a@href", "tg-emoji@emoji-id", "span@class", "tg-time@unix" -> value;
            case "code@class" -> value.startsWith("language-") ? value.substring(9) : before;
            case "blockquote@expandable" -> "expandable";
            default -> before;
        };
    }

    private void endTag() {
        int tagStart = i;
        if (open.isEmpty()) {
            throw error("Unexpected end tag" + offset(tagStart));
        }
        i += 2;
        while (!space(at(i)) && at(i) != '>') {
            i++;
        }
        String name = in.substring(tagStart + 2, i).toLowerCase(Locale.ROOT);
        spaces();
        if (at(i++) != '>') {
            throw error("Unclosed end tag" + offset(tagStart));
        }
        Open started = open.pop();
        if (!name.isEmpty() && !name.equals(started.tag())) {
            throw error("Unmatched end tag" + offset(tagStart) + ", expected \"</" + started.tag() + ">\", found \"</"
                    + name + ">\"");
        }
        if (out.length() > started.offset()) {
            add(started);
        }
    }

    private void add(Open started) {
        int offset = started.offset();
        int length = out.length() - offset;
        String argument = started.argument();
        Entity last = entities.isEmpty() ? null : entities.getLast();
        boolean sameRange = last != null && last.offset() == offset && last.length() == length;
        switch (started.tag()) {
            case "a" -> link(argument.isEmpty() ? out.substring(offset) : argument, offset, length);
            case "pre" -> {
                boolean code = sameRange && last.type().equals("code");
                String language = code ? last.argument() : "";
                if (!language.isEmpty()) {
                    entities.removeLast();
                }
                entities.add(new Entity("pre", offset, length, language));
            }
            case "code" -> {
                if (sameRange && last.type().equals("pre") && !argument.isEmpty()) {
                    entities.set(entities.size() - 1, new Entity("pre", offset, length, argument));
                } else {
                    entities.add(new Entity("code", offset, length, argument));
                }
            }
            case "blockquote" ->
                entities.add(
                        new Entity(argument.isEmpty() ? "blockquote" : "expandable_blockquote", offset, length, ""));
            case "tg-emoji" -> {
                if (!argument.matches("\\d+")) {
                    throw error("Invalid custom emoji identifier specified");
                }
                entities.add(new Entity("custom_emoji", offset, length, argument));
            }
            default -> entities.add(new Entity(TYPES.get(started.tag()), offset, length, ""));
        }
    }

    /** Adds a link; an invalid address leaves only its text. */
    private void link(String url, int offset, int length) {
        var person = PERSON.matcher(url);
        if (person.matches()) {
            entities.add(new Entity("text_mention", offset, length, person.group(1)));
        } else if (LINK.matcher(url).matches()) {
            entities.add(new Entity("text_link", offset, length, url.contains("://") ? url : "http://" + url));
        }
    }

    /** Decodes the character reference that begins here, if there is one. */
    private boolean reference(StringBuilder to) {
        if (at(i) != '&') {
            return false;
        }
        int end = i + 1;
        long code = 0;
        if (at(end) == '#') {
            int radix = at(++end) == 'x' ? 16 : 10;
            end += radix == 16 ? 1 : 0;
            while (end - i < 12 && at(end) < 128 && Character.digit(at(end), radix) >= 0) {
                code = code * radix + Character.digit(at(end++), radix);
            }
            if (code == 0 || code >= 0x10ffff || end - i >= 10) {
                return false;
            }
        } else {
            while (at(end) < 128 && Character.isLetter(at(end))) {
                end++;
            }
            String name = in.substring(i + 1, end);
            if (!NAMED.contains(name)) {
                return false;
            }
            code = Map.of("lt", '<', "gt", '>', "amp", '&', "quot", '"').get(name);
        }
        i = at(end) == ';' ? end + 1 : end;
        to.appendCodePoint((int) code);
        return true;
    }

    private void spaces() {
        while (i < in.length() && space(at(i))) {
            i++;
        }
    }

    private char at(int index) {
        return index < in.length() ? in.charAt(index) : '\0';
    }

    private static boolean space(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0' || c == 0x0b;
    }

    private String offset(int index) {
        return " at byte offset " + in.substring(0, index).getBytes(StandardCharsets.UTF_8).length;
    }

    private ApiError unclosed(String tag, int tagStart) {
        return error("Unclosed start tag \"" + tag + '"' + offset(tagStart));
    }

    private static ApiError error(String text) {
        return ApiError.bad("can't parse entities: " + text);
    }
}
