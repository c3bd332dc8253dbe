package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers that Teams streams, in private chats: a chunk has the whole text so far, and the message of the answer ends
 * the stream. Teams ends one itself after two minutes, or when its stop button is pressed, and says so at the next
 * chunk; from then on the message is edited.
 *
 * @see <a href="https://learn.microsoft.com/microsoftteams/platform/bots/streaming-ux">streaming</a>
 */
final class AnswerStreams {
    private static final int MAX_KNOWN = 1_000;
    private static final int MAX_INFORMATIVE = 1_000;
    /** Longer answers stop growing here until they are complete. */
    private static final int MAX_CHUNK = 10_000;

    /** Teams takes a chunk a second of a stream. */
    private static final Duration PACE = Duration.ofSeconds(1);
    /** A stream without a chunk for so long is refreshed: Teams tells of its stop button in the answer to one only. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final TeamsApi api;
    private final InstantSource clock;
    private final Map<String, Stream> open = Collections.synchronizedMap(new BoundedMap<>(MAX_KNOWN));

    /** A stream; used by one thread at a time. */
    private static final class Stream {
        private final String conversation;
        private int sequence = 1;
        private String text = "";
        /** About the answer, as long as it has no text. */
        private String line;

        private Instant chunkAt;
        private Instant refreshedAt = Instant.MIN;
        private boolean stopped;

        private Stream(String conversation, String line, Instant begunAt) {
            this.conversation = conversation;
            this.line = line;
            this.chunkAt = begunAt;
        }
    }

    /** What became of a chunk or of the end of a stream. */
    enum Result {
        SHOWN,
        /** The user pressed the stop button, now. */
        STOPPED,
        /** Teams streams this message no longer, or never did: it is edited. */
        NOT_STREAMING
    }

    /** @param clock that goes forward evenly */
    AnswerStreams(TeamsApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * Begins a stream by a line about the answer, which the words replace.
     *
     * @return the id of its message; null where Teams does not stream here
     */
    @Nullable
    String begin(Conversation in, Piece.Words opening) throws TeamsApiException, InterruptedException {
        String line = line(opening.plain());
        try {
            String id =
                    api.post(in, chunk("informative", 1, null, line)).path("id").asText("");
            if (id.isEmpty()) {
                return null; // nothing is shown that would stay
            }
            open.put(id, new Stream(in.id(), line, clock.instant()));
            return id;
        } catch (TeamsApiException e) {
            if (!e.isOfStream()) {
                throw e;
            }
            return null;
        }
    }

    private static String line(String text) {
        return ClippedText.within(text.replace('\n', ' '), MAX_INFORMATIVE);
    }

    /** Whether an answer is streamed in a conversation, which shows that the bot works. */
    boolean isStreaming(Conversation in) {
        return !streaming(in).isEmpty();
    }

    private List<Map.Entry<String, Stream>> streaming(Conversation in) {
        synchronized (open) {
            return open.entrySet().stream()
                    .filter(entry -> !entry.getValue().stopped
                            && entry.getValue().conversation.equals(in.id()))
                    .map(Map.Entry::copyOf)
                    .toList();
        }
    }

    /**
     * Shows more of an answer.
     *
     * @param words of its text
     */
    Result grow(Conversation in, String message, GrowingAnswer answer, Piece.Words words)
            throws TeamsApiException, InterruptedException {
        Stream stream = open.get(message);
        if (stream == null) {
            return Result.NOT_STREAMING;
        }
        if (stream.stopped) {
            return Result.SHOWN; // its turn is being cancelled
        }
        String text = words.markup().isEmpty() ? words.plain() : words.markup();
        boolean isText = !answer.text().isBlank() && text.length() <= MAX_CHUNK;
        stream.text = isText ? text : stream.text;
        stream.line = line(answer.words());
        return clock.instant().isBefore(stream.refreshedAt.plus(PACE))
                ? Result.SHOWN // soon, by another chunk or the end
                : send(in, message, stream);
    }

    /**
     * Shows the stream of a conversation again, if nothing was shown for some seconds.
     *
     * @return the message that the user stopped; null where none was
     */
    @Nullable
    String refresh(Conversation in) throws TeamsApiException, InterruptedException {
        for (Map.Entry<String, Stream> entry : streaming(in)) {
            Stream stream = entry.getValue();
            Instant now = clock.instant();
            if (!now.isBefore(stream.chunkAt.plus(QUIET))) {
                stream.refreshedAt = now;
                if (send(in, entry.getKey(), stream) == Result.STOPPED) {
                    return entry.getKey();
                }
            }
        }
        return null;
    }

    /** The number of a chunk that Teams did not take is that of the next. */
    private Result send(Conversation in, String message, Stream stream) throws TeamsApiException, InterruptedException {
        int sequence = stream.sequence + 1;
        ObjectNode chunk = stream.text.isEmpty()
                ? chunk("informative", sequence, message, stream.line)
                : chunk("streaming", sequence, message, stream.text);
        stream.chunkAt = clock.instant();
        try {
            api.post(in, chunk);
            stream.sequence = sequence;
            return Result.SHOWN;
        } catch (TeamsApiException e) {
            if (!e.isOfStream()) {
                stream.sequence = e.kind() == Kind.IN_DOUBT ? sequence : stream.sequence;
                throw e;
            }
            if (e.isOfUser()) {
                stream.stopped = true;
                return Result.STOPPED;
            }
            open.remove(message);
            return Result.NOT_STREAMING;
        }
    }

    /** The stop could not be stored: the next chunk, which Teams refuses as well, tells of it again. */
    void forgetStop(String message) {
        Stream stream = open.get(message);
        if (stream != null) {
            stream.stopped = false;
        }
    }

    /**
     * Ends a stream with the message of the answer. Idempotent: a stream that has ended is not streaming.
     *
     * @param isLost whether another process may have begun it
     */
    Result end(Conversation in, String message, ObjectNode activity, boolean isLost)
            throws TeamsApiException, InterruptedException {
        Stream stream = open.get(message);
        if (!isLost && (stream == null || stream.stopped)) {
            open.remove(message);
            return Result.NOT_STREAMING;
        }
        info(activity, "final", message);
        try {
            api.post(in, activity);
            open.remove(message);
            return Result.SHOWN;
        } catch (TeamsApiException e) {
            if (!e.isOfStream()) {
                throw e;
            }
            open.remove(message);
            return Result.NOT_STREAMING;
        }
    }

    private static ObjectNode chunk(String type, int sequence, @Nullable String message, String text) {
        ObjectNode activity = TeamsApi.object().put("type", "typing").put("text", text);
        info(activity, type, message).put("streamSequence", sequence);
        return activity;
    }

    private static ObjectNode info(ObjectNode activity, String type, @Nullable String message) {
        ObjectNode info = activity.withArray("entities")
                .addObject()
                .put("type", "streaminfo")
                .put("streamType", type);
        return message == null ? info : info.put("streamId", message);
    }
}
