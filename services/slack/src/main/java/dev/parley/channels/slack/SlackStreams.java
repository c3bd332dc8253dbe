package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.channels.slack.SlackEvents.Recipient;
import dev.parley.channels.slack.StreamedAnswer.Step;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of a bot: messages to which Slack adds chunks. A stream ends before Slack would end it, and its message then
 * goes on by edits; so does the message of a stream that Slack has ended, or that another process began. No stream leads to
 * a second message.
 *
 * @see <a href="https://docs.slack.dev/reference/methods/chat.startStream">chat.startStream</a>
 */
final class SlackStreams {
    private static final Logger LOG = LoggerFactory.getLogger(SlackStreams.class);
    /** Slack ends a stream some 300 s after its start. */
    private static final Duration MAX_AGE = Duration.ofMinutes(4);
    /** Slack may end a stream that says nothing for 30 s. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(20);

    private static final int MAX_STREAMS = 1_000;
    private static final String CHANNEL = "channel";
    private static final String CHUNKS = "chunks";

    private final SlackApi api;
    private final SlackPeople people;
    private final LongSupplier clock;
    private final Stopped onStop;
    private final Map<String, Stream> streams = Collections.synchronizedMap(new BoundedMap<>(MAX_STREAMS));
    /** Chats of which Slack refuses streams. */
    private final Set<String> without =
            Collections.newSetFromMap(Collections.synchronizedMap(new BoundedMap<>(MAX_STREAMS)));

    private volatile boolean available = true;

    /** How a stream has ended. */
    private enum End {
        /** It is replaced by edits. */
        BY_US,
        /** Its reader stopped it: nothing is shown until the turn has ended. */
        BY_READER
    }

    /** Told of a stream that its reader has stopped. */
    @FunctionalInterface
    interface Stopped {
        void by(Recipient reader, ConversationAddress address, String message) throws InterruptedException;
    }

    /** A stream; used by the thread of its chat. */
    private static final class Stream {
        private final String channel;
        private final String time;
        private final ConversationAddress address;
        private final Recipient reader;
        private final long began;
        private volatile long toldAt;
        private volatile StreamedAnswer shown;
        private volatile @Nullable End end;
        /** The message as it was sent at the end, or null. */
        private volatile @Nullable String finished;

        Stream(
                String channel,
                String time,
                ConversationAddress address,
                Recipient reader,
                StreamedAnswer shown,
                long now) {
            this.channel = channel;
            this.time = time;
            this.address = address;
            this.reader = reader;
            this.shown = shown;
            this.began = now;
            this.toldAt = now;
        }
    }

    /** What became of a step. */
    enum Outcome {
        /** Slack shows it, or has nothing to show. */
        SHOWN,
        /** It is to be shown by an edit. */
        EDIT,
        /** It is not shown. */
        DROPPED
    }

    /** @param clock in nanoseconds, from any origin */
    SlackStreams(SlackApi api, SlackPeople people, LongSupplier clock, Stopped onStop) {
        this.api = api;
        this.people = people;
        this.clock = clock;
        this.onStop = onStop;
    }

    /** Whether an answer may be streamed: in a thread, unless Slack has refused it. */
    boolean isPossible(ConversationAddress to) {
        return available
                && to.topic() != null
                && !without.contains(to.chat())
                && (!SlackPeople.isPrivate(to.chat()) || people.recipient(to).isPresent());
    }

    /**
     * Begins the stream of an answer.
     *
     * @return the reference of its message; empty where Slack refuses streams here, and nothing was sent
     */
    Optional<String> begin(ConversationAddress to, GrowingAnswer answer)
            throws SlackApiException, InterruptedException {
        Step step = StreamedAnswer.NEW.next(answer);
        Recipient recipient = step.isEmpty() ? null : people.reader(to).orElse(null);
        if (recipient == null) {
            return Optional.empty(); // its first words are not complete, or a table; or nobody knows who reads it
        }
        String channel = people.channel(to.chat());
        ObjectNode params = SlackApi.params()
                .put(CHANNEL, channel)
                .put("thread_ts", to.topic())
                .put("recipient_user_id", recipient.user())
                .put("recipient_team_id", recipient.team());
        params.set(CHUNKS, step.chunks());
        try {
            String time = api.call("chat.startStream", params).path("ts").asText();
            streams.put(key(to, time), new Stream(channel, time, to, recipient, step.after(), clock.getAsLong()));
            return Optional.of(time);
        } catch (SlackApiException e) {
            if (!refuses(to, e)) {
                throw e;
            }
            LOG.atInfo()
                    .addKeyValue("bot", to.bot())
                    .addKeyValue("reason", e.getMessage())
                    .log("answer not streamed; it is shown by edits");
            return Optional.empty();
        }
    }

    /** Whether an error is one of streams here, and not of the message. */
    private boolean refuses(ConversationAddress to, SlackApiException e) {
        if (e.says(
                "unknown_method", "method_deprecated", "not_authorized", "not_allowed_token_type", "missing_scope")) {
            available = false;
            return true;
        }
        if (e.says(
                "channel_type_not_supported",
                "missing_recipient_team_id",
                "missing_recipient_user_id",
                "invalid_arguments",
                "feature_not_enabled")) {
            without.add(to.chat());
            return true;
        }
        return e.says("invalid_chunks", "no_text", "msg_blocks_too_long", "ratelimited", "rate_limited");
    }

    private static String key(ConversationAddress address, String message) {
        return address.chat() + " " + message;
    }

    /** Adds to a message what its answer says more. */
    Outcome grow(ConversationAddress address, String message, GrowingAnswer answer)
            throws SlackApiException, InterruptedException {
        Stream stream = streams.get(key(address, message));
        if (stream == null || stream.end != null) {
            return stream != null && stream.end == End.BY_READER ? Outcome.DROPPED : Outcome.EDIT;
        }
        if (isOld(stream)) {
            end(stream);
            return Outcome.EDIT;
        }
        Step step = stream.shown.next(answer);
        if (!step.isEmpty() && !append(stream, step.chunks())) {
            return stream.end == End.BY_READER ? Outcome.DROPPED : Outcome.EDIT;
        }
        stream.shown = step.after();
        return Outcome.SHOWN;
    }

    /** Whether Slack took chunks; otherwise the stream has ended. */
    private boolean append(Stream stream, ArrayNode chunks) throws SlackApiException, InterruptedException {
        ObjectNode params = params(stream);
        params.set(CHUNKS, chunks);
        try {
            api.call("chat.appendStream", params);
            stream.toldAt = clock.getAsLong();
            return true;
        } catch (SlackApiException e) {
            if (e.says("no_text")) {
                return true; // nothing to be seen
            }
            if (e.says("message_not_found") || e.kind() == Kind.REVOKED) {
                throw e;
            }
            if (e.isTransient()) {
                if (e.isInDoubt()) {
                    stream.shown = stream.shown.doubted();
                }
                throw e;
            }
            if (e.says("stopped_by_user")) {
                stream.end = End.BY_READER;
                onStop.by(stream.reader, stream.address, stream.time); // the event of the button may not come
            } else if (isEnded(e)) {
                stream.end = End.BY_US;
            } else {
                end(stream); // it refuses what it is told
            }
            return false;
        }
    }

    private static boolean isEnded(SlackApiException e) {
        return e.says(
                "stopped_by_user",
                "message_not_in_streaming_state",
                "streaming_state_conflict",
                "message_not_owned_by_app");
    }

    private static ObjectNode params(Stream stream) {
        return SlackApi.params().put(CHANNEL, stream.channel).put("ts", stream.time);
    }

    /**
     * Keeps Slack from ending the streams of a conversation, which would mark them as failed: one that has said nothing
     * for a while says again what runs, and one that has nothing to say, or is too old, ends.
     */
    void keepAlive(ConversationAddress address) throws SlackApiException, InterruptedException {
        List<Stream> silent;
        synchronized (streams) {
            silent = streams.values().stream()
                    .filter(stream -> stream.end == null && stream.address.equals(address))
                    .filter(stream -> isOld(stream) || clock.getAsLong() - stream.toldAt > MAX_SILENCE.toNanos())
                    .toList();
        }
        for (Stream stream : silent) {
            ArrayNode chunks = isOld(stream) ? SlackApi.params().arrayNode() : stream.shown.alive();
            if (chunks.isEmpty()) {
                end(stream);
            } else {
                append(stream, chunks);
            }
        }
    }

    private boolean isOld(Stream stream) {
        return clock.getAsLong() - stream.began > MAX_AGE.toNanos();
    }

    /**
     * Ends a message with its last words.
     *
     * @param markdown of all of the message; empty where it cannot continue a stream
     * @param below blocks below the text
     * @return false where the message has to be edited into the words; its stream has ended then
     */
    boolean finish(ConversationAddress address, String message, String markdown, ArrayNode below)
            throws SlackApiException, InterruptedException {
        Stream stream = streams.get(key(address, message));
        if (stream == null) {
            return false;
        }
        String all = markdown + below;
        if (all.equals(stream.finished)) {
            return true; // it is delivered once more
        }
        if (stream.end != null) {
            return false;
        }
        Optional<Step> last = stream.shown.finish(markdown);
        if (last.isEmpty()) {
            end(stream);
            return false;
        }
        ObjectNode params = params(stream);
        if (!last.get().chunks().isEmpty()) {
            params.set(CHUNKS, last.get().chunks());
        }
        ArrayNode blocks = last.get().blocks().addAll(below);
        if (!blocks.isEmpty()) {
            params.set("blocks", blocks);
        }
        try {
            api.call("chat.stopStream", params);
            stream.end = End.BY_US;
            stream.finished = all;
            return true;
        } catch (SlackApiException e) {
            if (e.isTransient()) {
                stream.shown = e.isInDoubt() ? stream.shown.doubted() : stream.shown;
                throw e;
            }
            if (isEnded(e)) {
                stream.end = End.BY_US;
            } else {
                end(stream);
            }
            return false;
        }
    }

    /** Ends a stream as it stands. */
    private void end(Stream stream) throws SlackApiException, InterruptedException {
        ArrayNode closing = stream.shown.closing();
        if (!end(stream.channel, stream.time, closing) && !closing.isEmpty()) {
            end(stream.channel, stream.time); // it may refuse what it is told
        }
        stream.end = End.BY_US;
    }

    /** Ends a stream that may be another process's. */
    void end(String channel, String time) throws SlackApiException, InterruptedException {
        end(channel, time, SlackApi.params().arrayNode());
    }

    /** Whether the stream was ended by this call. */
    private boolean end(String channel, String time, ArrayNode chunks) throws SlackApiException, InterruptedException {
        ObjectNode params = SlackApi.params().put(CHANNEL, channel).put("ts", time);
        if (!chunks.isEmpty()) {
            params.set(CHUNKS, chunks);
        }
        try {
            api.call("chat.stopStream", params);
            return true;
        } catch (SlackApiException e) {
            if (e.isTransient()) {
                throw e;
            }
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("stream not ended");
            return isEnded(e);
        }
    }
}
