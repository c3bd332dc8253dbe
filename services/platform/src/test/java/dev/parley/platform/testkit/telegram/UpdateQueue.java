package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A bot's unconfirmed updates. Used under the lock. */
final class UpdateQueue {
    static final Duration LONGEST_POLL = Duration.ofSeconds(50);
    private static final Set<String> ONLY_IF_ASKED =
            Set.of("chat_member", "message_reaction", "message_reaction_count");
    private static final Set<String> OTHERS = Set.of(
            "message",
            "edited_message",
            "channel_post",
            "edited_channel_post",
            "business_connection",
            "business_message",
            "edited_business_message",
            "deleted_business_messages",
            "guest_message",
            "inline_query",
            "chosen_inline_result",
            "callback_query",
            "shipping_query",
            "pre_checkout_query",
            "purchased_paid_media",
            "poll",
            "poll_answer",
            "my_chat_member",
            "chat_join_request",
            "chat_boost",
            "removed_chat_boost",
            "managed_bot",
            "subscription",
            "stopped_message_generation");

    /** A pending update. */
    static final class Entry {
        final Update update;
        private boolean redelivered;

        private Entry(Update update, boolean redelivered) {
            this.update = update;
            this.redelivered = redelivered;
        }
    }

    private static final class Poll {
        private @Nullable ApiError error;
    }

    private final Bot bot;
    private final Monitor monitor;
    private final List<Entry> pending = new ArrayList<>();
    private final List<Update> updates = new ArrayList<>();
    private @Nullable Set<String> allowed;
    private @Nullable Poll poll;
    private int next = ThreadLocalRandom.current().nextInt(2_000_001, 1_000_000_000);

    UpdateQueue(Bot bot, Monitor monitor) {
        this.bot = bot;
        this.monitor = monitor;
    }

    /** Creates an update with the next id; queues it if the bot has subscribed to its kind. */
    Update add(String kind, JsonNode body) {
        ObjectNode json = Json.object().put("update_id", next);
        json.set(kind, body.deepCopy());
        var update = new Update(bot, next, kind, json);
        if (wants(kind)) {
            next++;
            updates.add(update);
            pending.add(new Entry(update, false));
        }
        return update;
    }

    /** Queues a given update; without an id it gets one. */
    Update inject(ObjectNode json) {
        String kind = json.properties().stream()
                .map(java.util.Map.Entry::getKey)
                .filter(name -> !name.equals("update_id"))
                .findFirst()
                .orElse("");
        int id = json.path("update_id").asInt(next);
        next = Math.max(next, id + 1);
        ObjectNode body = Json.object().put("update_id", id);
        body.setAll(json);
        body.put("update_id", id);
        var update = new Update(bot, id, kind, body);
        updates.add(update);
        insert(new Entry(update, true));
        return update;
    }

    /** Delivers an update again, even if it was confirmed. */
    void redeliver(Update update) {
        insert(new Entry(update, true));
    }

    private void insert(Entry entry) {
        pending.add(entry);
        pending.sort(Comparator.comparingInt(e -> e.update.id()));
    }

    void nextId(int id) {
        next = id;
    }

    List<Update> all() {
        return List.copyOf(updates);
    }

    List<Entry> pending() {
        return List.copyOf(pending);
    }

    @Nullable
    Entry first(String lane) {
        return pending.stream()
                .filter(e -> e.update.lane().equals(lane))
                .findFirst()
                .orElse(null);
    }

    boolean remove(Entry entry) {
        return pending.remove(entry);
    }

    void drop() {
        pending.clear();
    }

    /** Unknown names are ignored; an empty set means the default kinds; anything but an array changes nothing. */
    void allow(JsonNode names) {
        if (names.isArray()) {
            Set<String> kinds = StreamSupport.stream(names.spliterator(), false)
                    .map(JsonNode::asText)
                    .filter(name -> OTHERS.contains(name) || ONLY_IF_ASKED.contains(name))
                    .collect(Collectors.toCollection(java.util.TreeSet::new));
            allowed = kinds.isEmpty() || kinds.equals(OTHERS) ? null : kinds;
        }
    }

    @Nullable
    Set<String> allowed() {
        return allowed;
    }

    private boolean wants(String kind) {
        return allowed == null ? !ONLY_IF_ASKED.contains(kind) : allowed.contains(kind);
    }

    boolean polled() {
        return poll != null;
    }

    /** Ends the waiting poll, if there is one. */
    void endPoll(ApiError error) {
        if (poll != null) {
            poll.error = error;
            poll = null;
        }
    }

    /**
     * Removes the confirmed updates, and returns or awaits the next ones.
     *
     * @param stop ends the wait without updates
     */
    List<Update> poll(long offset, int limit, Duration timeout, BooleanSupplier stop) {
        long from = forget(offset);
        if (ready(from).isEmpty() && !timeout.isZero()) {
            endPoll(ApiError.conflict(
                    "terminated by other getUpdates request; make sure that only one bot instance is running"));
            var ownPoll = new Poll();
            poll = ownPoll;
            monitor.tell();
            monitor.await(
                    () -> ownPoll.error != null
                            || stop.getAsBoolean()
                            || !ready(from).isEmpty(),
                    timeout);
            if (ownPoll.error != null) {
                throw ownPoll.error;
            }
            poll = null;
        }
        List<Entry> delivered = ready(from).stream().limit(limit).toList();
        delivered.forEach(entry -> entry.redelivered = false);
        return delivered.stream().map(entry -> entry.update).toList();
    }

    private List<Entry> ready(long from) {
        return pending.stream()
                .filter(e -> e.redelivered || e.update.id() >= from)
                .toList();
    }

    private long forget(long offset) {
        if (offset > next + 10L || offset < next - 100_000L && offset > 0) {
            return 0;
        }
        if (offset < 0) {
            int count = (int) Math.min(pending.size(), -offset);
            pending.subList(0, pending.size() - count).clear();
            return 0;
        }
        pending.removeIf(e -> !e.redelivered && e.update.id() < offset);
        return offset;
    }
}
