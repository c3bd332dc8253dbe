package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text and its entities. */
record FormattedText(String text, List<Entity> entities) {
    static final int MOST_ENTITIES = 100;
    private static final Set<String> CODE = Set.of("code", "pre");
    private static final List<String> WHOLE =
            List.of("pre", "code", "text_link", "text_mention", "custom_emoji", "date_time");
    private static final Set<String> QUOTES = Set.of("blockquote", "expandable_blockquote");
    private static final List<String> STYLES = List.of("bold", "italic", "underline", "strikethrough", "spoiler");
    private static final Comparator<Entity> OUTER_FIRST = Comparator.comparingInt(Entity::offset)
            .thenComparing(Comparator.comparingInt(Entity::length).reversed());
    private static final Pattern UNSEEN = Pattern.compile(
            "[\\s\\u1680\\u180E\\u2000-\\u200F\\u202E\\u202F\\u205F\\u2060\\u2800\\u3000\\uFFFC\\uFEFF\\u00A0"
                    + "\\x{E0000}-\\x{E007F}]*");
    private static final Pattern FOUND =
            Pattern.compile("(?<url>\\b(?:https?://[^\\s<>\"]*[^\\s<>\".,;:!?)]|(?<![@\\w.])[\\w-]+(?:\\.[\\w-]+)*"
                    + "\\.(?:com|org|net|io|dev|app|ai|de|ru|uk|md|rs|py|sh|pl)\\b(?![@.]\\w)(?:/[^\\s<>\"]*)?))"
                    + "|(?<email>\\b[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)"
                    + "|(?<mention>(?<![\\w@])@[A-Za-z]\\w{2,31}\\b)"
                    + "|(?<hashtag>(?<!\\w)#[\\p{L}_]\\w*)"
                    + "|(?<command>(?<![\\w/<>@])/[A-Za-z0-9_]{1,64}(?:@\\w{3,32})?(?![\\w/<>@]))");

    /** Cleaned, repaired, trimmed, and with the entities that Telegram detects. */
    FormattedText fixed() {
        FormattedText trimmed = cleaned().repaired().trimmed();
        var allEntities = new ArrayList<>(trimmed.entities);
        trimmed.find(allEntities);
        allEntities.sort(OUTER_FIRST);
        return new FormattedText(
                trimmed.text,
                List.copyOf(allEntities.size() > MOST_ENTITIES ? allEntities.subList(0, MOST_ENTITIES) : allEntities));
    }

    /** Whether none of it is visible. */
    boolean unseen() {
        return UNSEEN.matcher(text).matches();
    }

    /** Its length as Telegram counts it. */
    int characters() {
        return text.codePointCount(0, text.length());
    }

    ArrayNode entitiesJson() {
        ArrayNode json = Json.array();
        entities.forEach(entity -> json.add(entity.json()));
        return json;
    }

    /**
     * The text with the entities of a call.
     *
     * @throws ApiError if they lie outside the text
     */
    static FormattedText of(String text, JsonNode entities) {
        var read = new ArrayList<Entity>();
        for (JsonNode json : entities) {
            Entity entity = Entity.read(json);
            if (entity.offset() < 0 || entity.length() < 0 || entity.end() > text.length()) {
                throw ApiError.bad("ENTITY_BOUNDS_INVALID");
            }
            if (middle(text, entity.offset()) || middle(text, entity.end())) {
                throw ApiError.bad("entity begins in a middle of a UTF-16 symbol at byte offset " + entity.offset());
            }
            read.add(entity);
        }
        return new FormattedText(text, read);
    }

    private static boolean middle(String text, int index) {
        return index > 0 && index < text.length() && Character.isLowSurrogate(text.charAt(index));
    }

    private FormattedText cleaned() {
        var out = new StringBuilder();
        int[] moved = new int[text.length() + 1];
        for (int i = 0; i < text.length(); i++) {
            moved[i] = out.length();
            char c = text.charAt(i);
            if (c < ' ' && c != '\n' && c != '\r') {
                out.append(' ');
            } else if (direction(c) && i + 1 < text.length() && direction(text.charAt(i + 1))) {
                out.append('\u200c');
            } else if (!dropped(c)) {
                out.append(c);
            }
        }
        moved[text.length()] = out.length();
        var shifted = new ArrayList<Entity>();
        entities.forEach(e -> shifted.add(e.at(moved[e.offset()], moved[e.end()])));
        return new FormattedText(out.toString(), shifted);
    }

    private static boolean direction(char c) {
        return c == 0x200e || c == 0x200f;
    }

    private static boolean dropped(char c) {
        return c == '\r' || c >= 0x2028 && c <= 0x202e || c == 0x333 || c == 0x33f || c == 0x30a;
    }

    /** Drops or cuts entities that may not nest or overlap. */
    private FormattedText repaired() {
        var kept = new ArrayList<Entity>();
        var sorted = new ArrayList<>(entities);
        sorted.sort(OUTER_FIRST.thenComparingInt(e -> WHOLE.indexOf(e.type())));
        for (Set<String> kind : List.of(Set.copyOf(WHOLE), QUOTES)) {
            var chosen = new ArrayList<Entity>();
            for (Entity e : sorted) {
                if (kind.contains(e.type()) && e.length() > 0 && chosen.stream().noneMatch(e::meets)) {
                    chosen.add(e);
                }
            }
            kept.addAll(chosen);
        }
        for (String style : STYLES) {
            styles(style, kept);
        }
        return new FormattedText(text, kept);
    }

    private void styles(String style, List<Entity> kept) {
        var marked = new BitSet();
        entities.stream().filter(e -> e.type().equals(style)).forEach(e -> marked.set(e.offset(), e.end()));
        kept.stream().filter(e -> CODE.contains(e.type())).forEach(e -> marked.clear(e.offset(), e.end()));
        for (int from = marked.nextSetBit(0); from >= 0; ) {
            int to = marked.nextClearBit(from);
            kept.add(new Entity(style, from, to - from, ""));
            from = marked.nextSetBit(to);
        }
    }

    private FormattedText trimmed() {
        int end = text.length();
        while (end > 0 && blank(text.charAt(end - 1))) {
            end--;
        }
        int first = entities.stream().mapToInt(Entity::offset).min().orElse(end);
        int start = 0;
        while (start < Math.min(first, end) && blank(text.charAt(start))) {
            start++;
        }
        var kept = new ArrayList<Entity>();
        for (Entity e : entities) {
            int to = Math.min(e.end(), end) - start;
            if (to > e.offset() - start) {
                kept.add(e.at(e.offset() - start, to));
            }
        }
        return new FormattedText(text.substring(start, end), kept);
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\n';
    }

    private void find(List<Entity> into) {
        List<Entity> reserved =
                into.stream().filter(e -> WHOLE.contains(e.type())).toList();
        Matcher matcher = FOUND.matcher(text);
        while (matcher.find()) {
            var found = new Entity(type(matcher), matcher.start(), matcher.end() - matcher.start(), "");
            if (reserved.stream().noneMatch(found::meets)) {
                into.add(found);
            }
        }
    }

    private static String type(Matcher matcher) {
        for (String name : List.of("url", "email", "mention", "hashtag")) {
            if (matcher.group(name) != null) {
                return name;
            }
        }
        return "bot_command";
    }
}
