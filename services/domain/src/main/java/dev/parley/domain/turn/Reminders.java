package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.JsonWriter;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.DueReminder;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.Reminder.Change;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnCommand.CancelReminder;
import dev.parley.domain.protocol.TurnCommand.RefuseReminder;
import dev.parley.domain.protocol.TurnCommand.SetQuietHours;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.QuietHoursChanged;
import dev.parley.domain.protocol.TurnEvent.ReminderChanged;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.answer.ToolArguments;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reminders: agents set them, people list and cancel them, a timer of the session sends them. What is due for a chat is
 * given to its bot, which knows whether the person may still use it, and sends the command of the reminder's turn; for
 * other sessions the machine checks the person's rights and sends that command itself.
 */
final class Reminders {
    private static final Refusal UNKNOWN = new Refusal("unknown_reminder", "there is no such reminder of yours");

    private Reminders() {}

    /**
     * Sets a reminder. Returns the result for the model.
     *
     * @throws IllegalArgumentException if it cannot be set; the message is for the model
     */
    static String set(TurnDraft draft, ToolCall call) {
        QueuedTurn turn = draft.turn().turn();
        ToolArguments arguments = ToolArguments.orEmpty(call.arguments());
        String text = arguments.text("text").strip();
        if (turn.parent() != null) {
            throw new IllegalArgumentException("only an agent that a person talks to can set reminders for them");
        }
        if (text.isEmpty() || text.length() > ToolSpec.MAX_REMINDER) {
            throw new IllegalArgumentException("text must have 1 to %d characters".formatted(ToolSpec.MAX_REMINDER));
        }
        requireRoom(draft.state(), turn.user());
        ZoneId zone = zone(draft, turn.user(), arguments.text("timeZone"));
        ReminderTimes times = ReminderTimes.of(
                arguments, zone, draft.now(), draft.decisionContext().recurrences());
        var reminder = new Reminder(
                Ids.of("reminder", call.callId()),
                text,
                arguments.text("begin").equals("true"),
                turn.user(),
                times.first(),
                times.first(),
                times.cron(),
                zone.getId(),
                address(draft, turn),
                draft.now());
        draft.emit(new ReminderChanged(draft.turnMeta(), Change.SET, reminder, null, turn.user(), null));
        return "The reminder %s is set for %s%s."
                .formatted(reminder.id(), reminder.when(), times.cron() == null ? "" : ", and repeats");
    }

    private static void requireRoom(SessionState state, @Nullable String user) {
        long own = state.reminders().stream()
                .filter(reminder -> Objects.equals(reminder.user(), user))
                .count();
        if (own >= Reminder.MAX_OF_PERSON || state.reminders().size() >= Reminder.MAX_OF_SESSION) {
            throw new IllegalArgumentException("this person has at most %d reminders here, and the session %d"
                    .formatted(Reminder.MAX_OF_PERSON, Reminder.MAX_OF_SESSION));
        }
    }

    private static ZoneId zone(TurnDraft draft, @Nullable String user, String named) {
        if (named.isBlank()) {
            return ZoneId.of(zone(draft, draft.state().open().host(), user));
        }
        try {
            return ZoneId.of(named);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + named + "' is no time zone such as Europe/Berlin", e);
        }
    }

    /** The id of a person's zone. */
    static String zone(TurnDraft draft, UUID host, @Nullable String user) {
        ZoneId zone = draft.definitions().zone(host, user);
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }

    /** The chat of the turn, or that of the session. */
    private static @Nullable ReplyAddress address(TurnDraft draft, QueuedTurn turn) {
        ReplyAddress asked = turn.replyTo();
        return asked == null ? draft.state().chat() : new ReplyAddress(asked.bot(), asked.chat(), asked.topic(), null);
    }

    /** The reminders of the turn's person as JSON, for the model; one of them is cancelled before, if it is named. */
    static String list(TurnDraft draft, ToolCall call) {
        String user = draft.turn().turn().user();
        String named = ToolArguments.orEmpty(call.arguments()).text("cancel");
        if (!named.isBlank()) {
            Reminder cancelled = draft.state().nextReminders().stream()
                    .filter(reminder -> reminder.id().toString().equals(named))
                    .filter(reminder -> Objects.equals(reminder.user(), user))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(UNKNOWN.message()));
            draft.emit(new ReminderChanged(draft.turnMeta(), Change.CANCELLED, cancelled, null, user, null));
        }
        return json(draft.state().nextReminders().stream()
                .filter(reminder -> Objects.equals(reminder.user(), user))
                .toList());
    }

    private static String json(List<Reminder> reminders) {
        return JsonWriter.text(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("reminders");
            for (Reminder reminder : reminders) {
                json.writeStartObject();
                json.writeStringField("id", reminder.id().toString());
                json.writeStringField("text", reminder.text());
                json.writeStringField("due", reminder.when());
                if (reminder.cron() != null) {
                    json.writeStringField("cron", reminder.cron());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    static void cancel(TurnDraft draft, CancelReminder command) {
        Optional<Reminder> found =
                find(draft.state(), command.reminder()).filter(reminder -> isFor(reminder.user(), command.meta()));
        if (found.isEmpty()) {
            Outcomes.refuse(draft, command, UNKNOWN);
            return;
        }
        String user = command.meta().user();
        draft.emit(new ReminderChanged(draft.meta(null), Change.CANCELLED, found.get(), null, user, null));
        Outcomes.acceptAsDone(draft, command, null);
    }

    /** Reminders of unknown people are for whoever may write. */
    private static boolean isFor(@Nullable String user, CommandMeta meta) {
        return meta.leads() || user == null || user.equals(meta.user());
    }

    private static Optional<Reminder> find(SessionState state, UUID id) {
        return state.reminders().stream()
                .filter(reminder -> reminder.id().equals(id))
                .findFirst();
    }

    /** Records why a reminder was not sent; also of one that is over. */
    static void refuse(TurnDraft draft, RefuseReminder command) {
        if (draft.state().exists()) {
            draft.emit(refused(draft, command.reminder(), command.due(), command.reason()));
            Outcomes.acceptAsDone(draft, command, null);
        } else {
            Outcomes.refuse(draft, command, Refusal.UNKNOWN_SESSION);
        }
    }

    /** Records why the turn of a reminder was refused. */
    static void onRefused(TurnDraft draft, SubmitTurn command, Refusal refusal) {
        if (draft.state().exists()) {
            DueReminder.timeOf(command)
                    .ifPresent(time -> draft.emit(refused(draft, time.reminder(), time.due(), refusal.message())));
        }
    }

    static void setQuietHours(TurnDraft draft, SetQuietHours command) {
        QuietHours hours = command.hours();
        String user = command.meta().user();
        boolean known = quietHours(draft.state(), user).isPresent();
        if (!draft.state().exists()) {
            Outcomes.refuse(draft, command, Refusal.UNKNOWN_SESSION);
        } else if (hours != null && !Objects.equals(hours.user(), user)) {
            Outcomes.refuse(draft, command, Refusal.NOT_YOURS);
        } else if (hours != null && !known && draft.state().quiet().size() >= Reminder.MAX_OF_SESSION) {
            Outcomes.refuse(draft, command, "too_many", "too many people have quiet hours here");
        } else {
            draft.emit(new QuietHoursChanged(draft.meta(null), user, hours));
            Outcomes.acceptAsDone(draft, command, null);
        }
    }

    private static Optional<QuietHours> quietHours(SessionState state, @Nullable String user) {
        return state.quiet().stream()
                .filter(hours -> Objects.equals(hours.user(), user))
                .findFirst();
    }

    /** Sends the reminders that are due. */
    static void tick(TurnDraft draft) {
        due(draft).forEach(reminder -> onDue(draft, reminder));
    }

    private static List<Reminder> due(TurnDraft draft) {
        return draft.state().reminders().stream()
                .filter(reminder -> TurnMachine.isDue(reminder.wakeAt(), draft))
                .toList();
    }

    /** Drops what is due, because the machine fails on it. */
    static void fault(TurnDraft draft, String detail) {
        for (Reminder reminder : due(draft)) {
            draft.emit(new ReminderChanged(draft.meta(null), Change.CANCELLED, reminder, reminder.due(), null, detail));
        }
    }

    private static void onDue(TurnDraft draft, Reminder reminder) {
        Optional<Instant> quiet = quietHours(draft.state(), reminder.user()).flatMap(hours -> hours.endAt(draft.now()));
        if (quiet.isPresent()) {
            Reminder later = reminder.withWakeAt(quiet.get());
            draft.emit(new ReminderChanged(draft.meta(null), Change.PUT_OFF, later, reminder.due(), null, null));
            return;
        }
        Reminder next = next(draft, reminder).map(reminder::at).orElse(reminder);
        draft.emit(new ReminderChanged(draft.meta(null), Change.DUE, next, reminder.due(), null, null));
        refusal(draft, reminder)
                .ifPresentOrElse(
                        reason -> draft.emit(refused(draft, reminder.id(), reminder.due(), reason)),
                        () -> send(draft, reminder));
    }

    /** The next time of one that repeats; times that have passed meanwhile are not made up for. */
    private static Optional<Instant> next(TurnDraft draft, Reminder reminder) {
        return Optional.ofNullable(reminder.cron())
                .flatMap(cron ->
                        draft.decisionContext().recurrences().next(cron, ZoneId.of(reminder.timeZone()), draft.now()));
    }

    /** Why the session cannot have the reminder now. Who may use a bot is known to the bot. */
    private static Optional<String> refusal(TurnDraft draft, Reminder reminder) {
        Session session = draft.state().open();
        String user = reminder.user();
        if (session.status() != SessionStatus.ACTIVE) {
            return Optional.of("the session is archived");
        }
        if (draft.definitions().isErased(draft.state().key(), session.host(), user)) {
            return Optional.of("the person was erased");
        }
        boolean owns = Objects.equals(session.user(), user);
        return reminder.to() != null
                        || draft.definitions().maySend(draft.state().key(), session.host(), user, owns)
                ? Optional.empty()
                : Optional.of("the person may not send messages here any more");
    }

    private static void send(TurnDraft draft, Reminder reminder) {
        var key = draft.state().key();
        Session session = draft.state().open();
        var due = DueReminder.of(reminder, session.shared());
        if (reminder.to() != null) {
            UUID id = Ids.of("reminder due", key, reminder.id(), reminder.due());
            draft.effect(new TurnEffect.DeliverReply(new Reply(
                    id,
                    session.host(),
                    key,
                    id,
                    reminder.to(),
                    Reply.Kind.MESSAGE,
                    reminder.text(),
                    draft.now(),
                    List.of(),
                    List.of(),
                    due)));
        } else {
            var meta = new CommandMeta(due.turnId(key), session.host(), draft.now(), reminder.user(), null, null)
                    .by(Actor.person(reminder.user()))
                    .toExisting();
            draft.effect(
                    new TurnEffect.SendCommand(key, due.turn(meta, reminder.text(), session.channel(), null, null)));
        }
    }

    /** One that is over is known by its id and time only. */
    private static ReminderChanged refused(TurnDraft draft, UUID id, Instant due, String reason) {
        Reminder reminder = find(draft.state(), id)
                .orElseGet(() -> new Reminder(id, "", false, null, due, due, null, "UTC", null, due));
        return new ReminderChanged(draft.meta(null), Change.REFUSED, reminder, due, null, reason);
    }
}
