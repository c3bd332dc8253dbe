package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.markup.MarkdownDocument;
import dev.parley.channels.chat.markup.MarkdownDocument.Part;
import dev.parley.channels.chat.markup.MarkdownDocument.Table;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.GrowingAnswer.Activity;
import dev.parley.channels.contract.GrowingAnswer.State;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the stream of an answer has shown, and the chunks that it is told next. Text that was streamed cannot be taken
 * back: once the answer is another one, or it is unknown whether a chunk was shown, its message is replaced at the end.
 *
 * <p>Slack loses white space at the start of chunks, so a chunk ends only where other text follows. A heading that
 * begins a message is not shown, so it becomes bold. Tables are no text of a stream: they come at its end, as blocks.
 *
 * @param sent the text of the answer that has been shown, as it was written
 * @param cards the calls of tools, by their ids, as they are shown
 * @param progress what the agent says that it does, as it is shown; empty for nothing
 */
record StreamedAnswer(String sent, Map<String, Activity> cards, String progress, Trust trust) {
    static final StreamedAnswer NEW = new StreamedAnswer("", Map.of(), "", Trust.EXACT);

    private static final int MAX_TITLE = 256;
    /** The last word is held back until it is complete, unless it is longer. */
    private static final int MAX_WORD = 40;

    private static final String PROGRESS = "progress";
    private static final String IN_PROGRESS = "in_progress";
    private static final Pattern HEADING = Pattern.compile("\\s*#{1,6}[ \\t]+([^\\n]*?)[ \\t#]*\\n");
    private static final Pattern TABLE = Pattern.compile("(?m)^[ \\t>]*\\|");

    StreamedAnswer {
        cards = Collections.unmodifiableMap(new LinkedHashMap<>(cards));
    }

    /** How the text that is shown relates to the answer. */
    enum Trust {
        /** It is the beginning of the answer. */
        EXACT,
        /** It has text of an earlier step before the answer. */
        OTHER,
        /** It is unknown what is shown, so no text is added. */
        UNKNOWN
    }

    /**
     * A step of a stream.
     *
     * @param chunks may be empty
     * @param blocks of the end of a stream; may be empty
     * @param after what is shown once Slack has taken them
     */
    record Step(ArrayNode chunks, ArrayNode blocks, StreamedAnswer after) {
        boolean isEmpty() {
            return chunks.isEmpty();
        }
    }

    /** It is unknown what is shown. */
    StreamedAnswer doubted() {
        return new StreamedAnswer(sent, cards, progress, Trust.UNKNOWN);
    }

    /** What the answer says more than is shown. */
    Step next(GrowingAnswer answer) {
        ArrayNode chunks = none();
        boolean other = !answer.text().startsWith(sent);
        String before = other ? "" : sent;
        String now = before;
        if (trust != Trust.UNKNOWN) {
            int end = cut(answer.text(), before.length());
            String more = answer.text().substring(before.length(), end);
            if (!more.isBlank()) {
                // the text of another step is a paragraph of its own
                chunks.add(text((other ? "\u200B\n\n" : "") + shown(more, before.isEmpty() && !other)));
                now = answer.text().substring(0, end);
            }
        }
        boolean diverges = other && trust == Trust.EXACT;
        var after = new StreamedAnswer(
                now, cards(answer, chunks), progress(answer, chunks), diverges ? Trust.OTHER : trust);
        return new Step(chunks, none(), after);
    }

    private Map<String, Activity> cards(GrowingAnswer answer, ArrayNode chunks) {
        Map<String, Activity> told = new LinkedHashMap<>(cards);
        for (Activity activity : answer.activities()) {
            Activity before = told.put(activity.id(), activity);
            if (!activity.equals(before)) {
                ObjectNode card = task(activity);
                if (before == null || before.sources().isEmpty()) {
                    card = withSources(card, activity.sources());
                }
                chunks.add(card);
            }
        }
        return told;
    }

    private String progress(GrowingAnswer answer, ArrayNode chunks) {
        if (answer.progress().isBlank() || answer.progress().equals(progress)) {
            return progress;
        }
        chunks.add(task(PROGRESS, answer.progress(), IN_PROGRESS));
        return answer.progress();
    }

    /**
     * The end of the stream with the whole text of the message; empty where the message has to be replaced.
     *
     * @param markdown as the message would be sent
     */
    Optional<Step> finish(String markdown) {
        String whole = markdown.stripLeading();
        String begun = sent.stripLeading();
        if (trust != Trust.EXACT || markdown.isEmpty() || !whole.startsWith(begun)) {
            return Optional.empty();
        }
        String rest = whole.substring(begun.length());
        List<Part> parts =
                MarkdownDocument.read(rest).map(MarkdownDocument::parts).orElse(List.of());
        int table = firstTable(parts);
        String more = table < 0
                ? rest
                : parts.subList(0, table).stream().map(Part::source).collect(Collectors.joining());
        ArrayNode chunks = closing();
        if (!more.isBlank()) {
            chunks.insert(0, text(shown(more.stripTrailing(), begun.isEmpty())));
        }
        ArrayNode blocks = table < 0 ? none() : SlackMessageText.blocks(parts.subList(table, parts.size()));
        return Optional.of(new Step(chunks, blocks, new StreamedAnswer(markdown, cards, progress, trust)));
    }

    /** Cards of calls whose end was not told are complete when the answer is. */
    ArrayNode closing() {
        ArrayNode chunks = none();
        running().forEach(activity -> chunks.add(task(activity.in(State.DONE))));
        if (!progress.isEmpty()) {
            chunks.add(task(PROGRESS, progress, "complete"));
        }
        return chunks;
    }

    private static int firstTable(List<Part> parts) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Table) {
                return i;
            }
        }
        return -1;
    }

    /** Chunks that show again what is shown, so that Slack does not take the stream for dead; empty for nothing. */
    ArrayNode alive() {
        ArrayNode chunks = none();
        running().forEach(activity -> chunks.add(task(activity)));
        if (chunks.isEmpty() && !progress.isEmpty()) {
            chunks.add(task(PROGRESS, progress, IN_PROGRESS));
        }
        if (chunks.isEmpty() && !cards.isEmpty()) {
            chunks.add(task(List.copyOf(cards.values()).getLast()));
        }
        return chunks;
    }

    private List<Activity> running() {
        return cards.values().stream()
                .filter(activity -> activity.state() == State.RUNNING)
                .toList();
    }

    /**
     * The position up to which a text can be shown: what follows is known, and is no white space. It is before the last
     * word, so that no reference of Slack's and no mark is cut.
     */
    static int cut(String text, int from) {
        Matcher table = TABLE.matcher(text);
        int most = table.find(Math.min(from, text.length()))
                ? table.start()
                : Math.min(text.length() - 1, SlackPieces.MAX_MARKDOWN);
        most = Math.min(most, SlackPieces.MAX_MARKDOWN);
        if (from == 0
                && text.stripLeading().startsWith("#")
                && !HEADING.matcher(text).lookingAt()) {
            return from; // of a heading the end of the line must be known
        }
        for (int position = most; position > from && position >= most - MAX_WORD; position--) {
            if (!isBlank(text, position) && isBlank(text, position - 1)) {
                return position;
            }
        }
        int end = most;
        while (end > from && (isBlank(text, end) || Character.isLowSurrogate(text.charAt(end)))) {
            end--;
        }
        int reference = text.lastIndexOf('<', end - 1);
        return Math.max(from, reference >= end - MAX_WORD && reference >= from ? reference : end);
    }

    private static boolean isBlank(String text, int position) {
        return Character.isWhitespace(text.charAt(position));
    }

    /** @param first whether it begins the message */
    private static String shown(String markdown, boolean first) {
        String text = SlackText.quiet(markdown);
        if (!first) {
            return text;
        }
        Matcher heading = HEADING.matcher(text);
        return heading.lookingAt()
                ? "**" + heading.group(1).replace("*", "") + "**\n" + text.substring(heading.end())
                : text.stripLeading();
    }

    private static ObjectNode text(String markdown) {
        return SlackApi.params().put("type", "markdown_text").put("text", markdown);
    }

    private static ObjectNode task(Activity activity) {
        return task(
                activity.id(),
                activity.title(),
                switch (activity.state()) {
                    case RUNNING -> IN_PROGRESS;
                    case DONE -> "complete";
                    case FAILED -> "error";
                });
    }

    private static ObjectNode task(String id, String title, String status) {
        return SlackApi.params()
                .put("type", "task_update")
                .put("id", ClippedText.of(id, MAX_TITLE - 1))
                .put("title", title.isBlank() ? "…" : ClippedText.of(title, MAX_TITLE - 1))
                .put("status", status);
    }

    /** Slack adds sources to those that it shows. */
    private static ObjectNode withSources(ObjectNode card, List<URI> sources) {
        ArrayNode shown = card.putArray("sources");
        sources.forEach(page -> shown.addObject()
                .put("type", "url")
                .put("url", page.toString())
                .put("text", ClippedText.of(page.getHost() + page.getPath(), MAX_TITLE - 1)));
        return shown.isEmpty() ? card.without("sources") : card;
    }

    private static ArrayNode none() {
        return SlackApi.params().arrayNode();
    }
}
