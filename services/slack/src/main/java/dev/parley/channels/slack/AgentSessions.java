package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The status of threads: that of agent sessions, which shows a stop button while the agent works, or for apps that are no
 * agents that of assistant threads. An app that has neither shows nothing.
 *
 * @see <a href="https://docs.slack.dev/reference/methods/agents.sessions.setStatus">agents.sessions.setStatus</a>
 */
final class AgentSessions {
    private static final int MAX_SESSIONS = 1_000;
    /** Slack clears a status after an hour. */
    private static final Duration REPEAT = Duration.ofMinutes(30);

    private final SlackApi api;
    private final SlackPeople people;
    private final LongSupplier clock;
    private final Map<String, Long> processing = Collections.synchronizedMap(new BoundedMap<>(MAX_SESSIONS));
    private volatile boolean hasSessions = true;
    private volatile boolean hasThreads = true;

    /** @param clock in nanoseconds, from any origin */
    AgentSessions(SlackApi api, SlackPeople people, LongSupplier clock) {
        this.api = api;
        this.people = people;
        this.clock = clock;
    }

    /** The agent works. */
    void working(ConversationAddress address) throws SlackApiException, InterruptedException {
        if (address.topic() == null) {
            return;
        }
        Long since = processing.get(address.channelId());
        if (since != null && clock.getAsLong() - since < REPEAT.toNanos()) {
            return;
        }
        if (hasSessions && set(address, "processing")) {
            processing.put(address.channelId(), clock.getAsLong());
        } else if (hasThreads) {
            assistant(address);
        }
    }

    /** A turn has ended. */
    void ended(ConversationAddress address) throws SlackApiException, InterruptedException {
        if (processing.remove(address.channelId()) != null) {
            set(address, "active");
        }
    }

    /** Whether the session has the status; false where the app has no sessions. */
    private boolean set(ConversationAddress address, String status) throws SlackApiException, InterruptedException {
        ObjectNode params = SlackApi.params()
                .put("channel_id", people.channel(address.chat()))
                .put("thread_ts", address.topic())
                .put("status", status);
        people.recipient(address).ifPresent(recipient -> params.put("initiator_user_id", recipient.user()));
        try {
            api.call("agents.sessions.setStatus", params);
            return true;
        } catch (SlackApiException e) {
            if (e.isTransient()) {
                throw e;
            }
            hasSessions = false; // until the app is declared as an agent, and the bot starts again
            return false;
        }
    }

    private void assistant(ConversationAddress address) throws SlackApiException, InterruptedException {
        try {
            api.call(
                    "assistant.threads.setStatus",
                    SlackApi.params()
                            .put("channel_id", people.channel(address.chat()))
                            .put("thread_ts", address.topic())
                            .put("status", "is working…"));
        } catch (SlackApiException e) {
            if (e.isTransient()) {
                throw e;
            }
            // An app that is not an assistant, or lacks the right, cannot show a status until it is reinstalled.
            hasThreads = false;
        }
    }
}
