package dev.parley.channels.web;

import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Part;
import dev.parley.channels.web.CallerCommands.SubmittedCommand;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.AnswerCall;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.GiveFeedback;
import dev.parley.domain.protocol.TurnCommand.ListCalls;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sessions and turns for other protocols, with the rights, limits and outcomes of the session routes. A repeated
 * reference is the same command.
 */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
public final class TurnService {
    /** Maximum size of a conversation in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    private final TurnSubmitter turns;
    private final CallerCommands commands;
    private final DeltaHub hub;
    private final ContentReader content;

    TurnService(TurnSubmitter turns, CallerCommands commands, DeltaHub hub, ContentReader content) {
        this.turns = turns;
        this.commands = commands;
        this.hub = hub;
        this.content = content;
    }

    /**
     * The blocks of a message; its files are stored.
     *
     * @throws ApiException 400, 413
     */
    public List<Block> blocks(List<Part> parts) {
        return content.blocks(null, parts);
    }

    /** A session key derived from the caller's reference. */
    public static String generatedKey(Caller caller, String purpose, String reference) {
        return SessionController.generatedKey(caller, purpose, reference);
    }

    /**
     * The caller's reference of a turn, or a new one.
     *
     * @throws ApiException 400
     */
    public static String reference(@Nullable String provided) {
        return TurnSubmitter.reference(provided);
    }

    /**
     * A message as a turn of the caller.
     *
     * @throws ApiException 400, 429
     */
    public SubmitTurn turn(
            Caller caller, RecordKey key, TurnRequest turnRequest, String reference, @Nullable String trace) {
        return turns.turn(caller, key, turnRequest, reference, trace);
    }

    /**
     * Submits a turn, and follows it. The caller closes the result.
     *
     * @throws ApiException when it is refused
     */
    public FollowedTurn begin(RecordKey key, SubmitTurn turn) {
        return begin(key, turn, hub.watch(key, null, false));
    }

    /**
     * Submits a turn that may have begun before, and follows it from its oldest cached delta. The caller closes the
     * result.
     */
    public FollowedTurn beginOrFollow(RecordKey key, SubmitTurn turn) {
        return begin(key, turn, hub.watch(key, null, true));
    }

    private FollowedTurn begin(RecordKey key, SubmitTurn turn, DeltaWatch watch) {
        try {
            return submitAndFollow(key, turn, watch);
        } catch (RuntimeException e) {
            watch.close();
            throw e;
        }
    }

    private FollowedTurn submitAndFollow(RecordKey key, SubmitTurn turn, DeltaWatch watch) {
        return new FollowedTurn(turns.submit(key, turn), watch, () -> waitingIfKnown(key, turn.meta()));
    }

    private Optional<Outcome.CallsListed> waitingIfKnown(RecordKey key, CommandMeta meta) {
        try {
            return Optional.of(waiting(key, meta));
        } catch (ApiException e) {
            return Optional.empty(); // the follower asks again
        }
    }

    /**
     * The calls of the active turn that wait for its caller.
     *
     * @throws ApiException 404 for sessions of others, 503 without an answer in time
     */
    public List<CallerCall> awaitedCalls(Caller caller, RecordKey key) {
        return waiting(caller, key).calls();
    }

    /**
     * What the active turn waits for, and its usage so far.
     *
     * @throws ApiException 404 for sessions of others, 503 without an answer in time
     */
    public TurnFeed.Pending waiting(Caller caller, RecordKey key) {
        Outcome.CallsListed listed = waiting(key, commands.meta(caller, key));
        return new TurnFeed.Pending(listed.calls(), listed.approvals(), listed.usage());
    }

    private Outcome.CallsListed waiting(RecordKey key, CommandMeta meta) {
        var question = new ListCalls(meta.of(UUID.randomUUID(), Instant.now()));
        if (commands.execute(key, question).orElse(null) instanceof Outcome.CallsListed listed) {
            return listed;
        }
        throw new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "The session does not answer now.")
                .retryAfter(Duration.ofSeconds(2));
    }

    /**
     * Submits the result of a call that waits for the caller; the first one counts, and duplicates are ignored.
     *
     * @return the turn of the call; empty where it is not known in time
     * @throws ApiException 400 where it is too long, 404 where no such call waits for this caller
     */
    public Optional<UUID> answer(Caller caller, RecordKey key, UUID call, String content, boolean failed) {
        CommandMeta meta = commands.meta(caller, key, "result " + call + " " + failed, Sha256.hex(content));
        return commands.execute(key, new AnswerCall(meta, call, content, failed))
                .flatMap(outcome ->
                        Optional.ofNullable(outcome instanceof Outcome.Accepted accepted ? accepted.turnId() : null));
    }

    /** Opens a session, unless the key has one. */
    public void open(Caller caller, RecordKey key, String reference, String agent, String title) {
        CommandMeta meta = commands.meta(caller, key, "open", reference);
        commands.execute(key, new ChangeSession(meta, Change.OPEN, title, agent, null, "api", null));
    }

    /**
     * Opens a session that begins with a conversation, which is one turn of the context: callers who send whole
     * conversations truncate them themselves, so it is not summarised.
     *
     * @param title null for one that is generated from the conversation
     * @throws ApiException 409 {@code session_exists}; 413 where it is larger than {@link #MAX_BYTES}
     */
    public void seed(
            Caller caller,
            RecordKey key,
            String reference,
            String agent,
            @Nullable String title,
            List<Message> conversation) {
        if (conversation.stream().mapToLong(Message::weight).sum() > MAX_BYTES) {
            throw ApiException.tooLarge("The conversation is larger than 1 MiB.");
        }
        UUID turn = Ids.of("conversation", key, reference, 1);
        CommandMeta meta = commands.meta(caller, key, "conversation", reference);
        commands.seed(
                meta,
                false,
                key,
                agent,
                title,
                conversation.stream()
                        .map(message -> new Entry(turn, 1, message))
                        .toList());
    }

    /**
     * Copies the context of a session at the end of a turn into another one.
     *
     * @return false where that turn is the last one, and nothing was copied
     */
    public boolean fork(Caller caller, RecordKey source, UUID upTo, RecordKey target, String reference) {
        try {
            CommandMeta meta = commands.meta(caller, source, "fork", reference);
            commands.execute(source, new ForkSession(meta, target, null, upTo));
            return true;
        } catch (ApiException e) {
            if (e.code().equals("turn_is_last")) {
                return false;
            }
            throw e;
        }
    }

    /**
     * A turn of a session that the caller can see, for seven days after its end.
     *
     * @param timeout maximum wait for its end
     * @return empty while it has not ended
     * @throws ApiException 404 where it is unknown
     */
    public Optional<Outcome.Finished> find(Caller caller, RecordKey key, UUID turn, Duration timeout)
            throws InterruptedException {
        SubmitTurn resubmission = again(caller, key, turn);
        try (SubmittedCommand submitted = commands.submit(key, resubmission)) {
            return submitted.outcome().orElse(null) instanceof Outcome.Finished finished
                    ? Optional.of(finished)
                    : Intake.within(timeout, submitted.ticket().finished());
        } catch (ApiException e) {
            if (e.status().getCode() < 500) {
                throw ApiException.notFound("unknown_turn", "There is no turn " + turn);
            }
            throw e;
        }
    }

    /**
     * Another submission of the command of a turn, which returns its outcome; for an unknown turn it is refused,
     * because it has no content.
     */
    private SubmitTurn again(Caller caller, RecordKey key, UUID turn) {
        CommandMeta meta = commands.meta(caller, key, turn, null).toExisting();
        return new SubmitTurn(meta, Origin.API, "", MailboxMode.REJECT, null, null, List.of(), "api", null, null, null);
    }

    /**
     * Follows an earlier turn from its oldest cached delta. The caller closes the result.
     *
     * @throws ApiException 404 where it is unknown
     */
    public FollowedTurn follow(Caller caller, RecordKey key, UUID turn) {
        return follow(caller, key, turn, hub.watch(key, null, true));
    }

    /**
     * Follows an earlier turn from now on. The caller closes the result.
     *
     * @throws ApiException 404 where it is unknown
     */
    FollowedTurn followFromNow(Caller caller, RecordKey key, UUID turn) {
        return follow(caller, key, turn, hub.watch(key, null, false));
    }

    private FollowedTurn follow(Caller caller, RecordKey key, UUID turn, DeltaWatch watch) {
        try {
            return submitAndFollow(key, again(caller, key, turn), watch);
        } catch (RuntimeException e) {
            watch.close();
            if (e instanceof ApiException problem && problem.status().getCode() < 500) {
                throw ApiException.notFound("unknown_turn", "There is no turn " + turn);
            }
            throw e;
        }
    }

    /**
     * Decides an approval; the first decision counts.
     *
     * @throws ApiException 403 without the capability, 404 where it is not pending
     */
    public void decide(Caller caller, RecordKey key, UUID approval, ApprovalAnswer answer) {
        caller.requireThere(answer.needs(), key.project());
        CommandMeta meta = commands.meta(caller, key);
        commands.execute(key, new DecideApproval(meta, approval, answer));
    }

    /**
     * Cancels a turn.
     *
     * @throws ApiException 404, 409 when it has ended
     */
    public void cancel(Caller caller, RecordKey key, UUID turn) {
        commands.cancel(caller, key, turn, null);
    }

    /**
     * Gives the caller's opinion about a turn, in place of their earlier one. Whoever reads the turn may do that.
     *
     * @param opinion {@code good} or {@code bad}
     * @param text the reason, or null
     * @throws ApiException 400, or 404 where the turn is unknown, or ended more than seven days ago
     */
    public void giveFeedback(Caller caller, RecordKey key, UUID turn, @Nullable String opinion, @Nullable String text) {
        boolean isGood = "good".equals(opinion);
        if (!isGood && !"bad".equals(opinion)) {
            throw ApiException.badRequest("invalid_opinion", "The field 'opinion' is good or bad");
        }
        String reason = text == null ? "" : text.strip();
        if (reason.length() > GiveFeedback.MAX_REASON || reason.indexOf('\0') >= 0) {
            throw ApiException.badRequest(
                    "invalid_text", "The field 'text' has at most %,d characters".formatted(GiveFeedback.MAX_REASON));
        }
        CommandMeta meta = commands.meta(caller, key);
        commands.execute(
                key,
                new GiveFeedback(
                        meta, turn, isGood ? Opinion.GOOD : Opinion.BAD, null, reason.isEmpty() ? null : reason));
    }

    /**
     * Takes back the caller's opinion about a turn; reactions in chats stay.
     *
     * @throws ApiException 404 where the turn is unknown, or ended more than seven days ago
     */
    public void withdrawFeedback(Caller caller, RecordKey key, UUID turn) {
        commands.execute(key, new GiveFeedback(commands.meta(caller, key), turn, Opinion.WITHDRAWN, null, null));
    }
}
