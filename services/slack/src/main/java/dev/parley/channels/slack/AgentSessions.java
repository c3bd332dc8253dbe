package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The status of threads: that of agent sessions, which shows a stop button while the agent works, or for apps that are no
 * agents that of assistant threads. An app that has neither shows nothing.
 *
 * @see <a href="https://docs.slack.dev/reference/methods/agents.sessions.setStatus">agents.sessions.setStatus</a>
 */
final class AgentSessions {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSessions.class);
    private static final int MAX_SESSIONS = 1_000;
    private static final Long IDLE = Long.MIN_VALUE;
    private static final String UNHEARD = "missing_agent_session_stopped_event_subscription";
    /** Slack clears a status after an hour. */
    private static final Duration REPEAT = Duration.ofMinutes(30);

    private final SlackApi api;
    private final SlackPeople people;
    private final LongSupplier clock;
    /** When a thread was said to be processing; {@link #IDLE} for those that are not. */
    private final Map<String, Long> processing = Collections.synchronizedMap(new BoundedMap<>(MAX_SESSIONS));

    private final AtomicBoolean isUnheard = new AtomicBoolean();
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
        if (since != null && !since.equals(IDLE) && clock.getAsLong() - since < REPEAT.toNanos()) {
            return;
        }
        if (hasSessions) {
            set(address, "processing");
        }
        if (hasSessions) {
            processing.put(address.channelId(), clock.getAsLong()); // also where this thread has no status
        } else if (hasThreads) {
            assistant(address);
        }
    }

    /** A turn has ended. Another process may have said that it runs. */
    void ended(ConversationAddress address) throws SlackApiException, InterruptedException {
        if (address.topic() != null && hasSessions && !IDLE.equals(processing.put(address.channelId(), IDLE))) {
            set(address, "active");
        }
    }

    /** Says the status of a session; the app may turn out to have none. */
    private void set(ConversationAddress address, String status) throws SlackApiException, InterruptedException {
        ObjectNode params = SlackApi.params()
                .put("channel_id", people.channel(address.chat()))
                .put("thread_ts", address.topic())
                .put("status", status);
        people.recipient(address).ifPresent(recipient -> params.put("initiator_user_id", recipient.user()));
        try {
            JsonNode answer = api.call("agents.sessions.setStatus", params);
            if (answer.toString().contains(UNHEARD) && isUnheard.compareAndSet(false, true)) {
                LOG.atWarn()
                        .addKeyValue("bot", address.bot())
                        .log("Slack shows no stop button: the app does not subscribe to agent_session_stopped");
            }
        } catch (SlackApiException e) {
            hasSessions &= !isOfApp(e);
        }
    }

    /** Whether the app has no status, until it is declared or installed anew; false for errors of one thread. */
    private static boolean isOfApp(SlackApiException e) throws SlackApiException {
        if (e.isTransient()) {
            throw e;
        }
        return e.says(
                "not_authorized",
                "unknown_method",
                "method_deprecated",
                "feature_not_enabled",
                "not_allowed_token_type",
                "missing_scope",
                "no_permission");
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
            hasThreads &= !isOfApp(e);
            processing.put(address.channelId(), clock.getAsLong()); // this thread has none for a while
        }
    }
}
