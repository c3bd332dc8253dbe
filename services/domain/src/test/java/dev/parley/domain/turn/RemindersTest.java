package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.DueReminder;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand.CancelReminder;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ListReminders;
import dev.parley.domain.protocol.TurnCommand.RefuseReminder;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.SetQuietHours;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.ReminderChanged;
import dev.parley.domain.protocol.TurnEvent.ToolCalled;
import dev.parley.domain.protocol.origin.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reminders of a session. The clock begins at 2030-01-01T00:00Z. */
class RemindersTest {
    private final SessionFixture session = new SessionFixture();

    /** The agent sets a reminder, and ends its turn. */
    private ToolCalled reminds(String arguments) {
        session.says("remind me");
        session.modelCalls(SessionFixture.call("r", "remind", arguments));
        ToolCalled result = session.events(ToolCalled.class).getLast();
        session.modelAnswers("done");
        return result;
    }

    private List<Reminder> open() {
        return session.state().reminders();
    }

    /** Times of reminders that were given to the bot of the chat, in order. */
    private List<DueReminder> due() {
        return dueReplies().stream().map(Reply::reminder).toList();
    }

    private List<Reply> dueReplies() {
        return session.effects(TurnEffect.DeliverReply.class).stream()
                .map(TurnEffect.DeliverReply::reply)
                .filter(reply -> reply.reminder() != null)
                .toList();
    }

    private List<ReminderChanged> refused() {
        return session.events(ReminderChanged.class).stream()
                .filter(event -> event.change() == Reminder.Change.REFUSED)
                .toList();
    }

    private static Instant at(String time) {
        return Instant.parse(time);
    }

    @Test
    @Tag("B226")
    void isGivenToItsBotOnceWhenItIsDue() {
        // Given
        reminds("{\"text\":\"tea\",\"after\":\"PT20M\"}");

        // When
        session.after(Duration.ofDays(3));

        // Then
        assertEquals(1, due().size());
        assertEquals(at("2030-01-01T00:20:00Z"), due().getFirst().due());
        assertEquals("tea", dueReplies().getFirst().text());
        assertEquals("ann", due().getFirst().user());
        assertEquals(List.of(), open());
    }

    @ParameterizedTest
    @Tag("B226")
    @CsvSource(delimiter = '|', textBlock = """
            "at":"2030-03-01T09:00","timeZone":"Europe/Berlin" | 2030-03-01T08:00:00Z
            "at":"2030-03-01T09:00"                            | 2030-03-01T09:00:00Z
            "at":"2030-03-01T09:00+03:00"                      | 2030-03-01T06:00:00Z
            "at":"2030-03-31T02:30","timeZone":"Europe/Berlin" | 2030-03-31T01:00:00Z
            "at":"2030-10-27T02:30","timeZone":"Europe/Berlin" | 2030-10-27T00:30:00Z
            "cron":"0 9 * * *","timeZone":"Asia/Tokyo"         | 2030-01-02T00:00:00Z
            "at":"2030-03-10T02:30","timeZone":"America/New_York"   | 2030-03-10T07:00:00Z
            "at":"2030-11-03T01:30","timeZone":"America/New_York"   | 2030-11-03T05:30:00Z
            "at":"2030-10-06T02:10","timeZone":"Australia/Lord_Howe" | 2030-10-05T15:30:00Z
            """)
    void timesAreOnTheClockOfTheirZone(String when, Instant due) {
        // When
        reminds("{\"text\":\"x\",%s}".formatted(when));

        // Then
        assertEquals(due, open().getFirst().due());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"text":"x"}                                         | remind needs one of at
            {"text":"x","after":"PT1M","at":"2031-01-01T00:00"}  | remind needs one of at
            {"text":"","after":"PT1M"}                           | text must have 1 to 2000 characters
            {"text":"x","after":"soon"}                          | after must be a duration
            {"text":"x","after":"-PT1M"}                         | this time has passed: it is 2030-01-01T00:00Z
            {"text":"x","at":"tomorrow"}                         | at must be a time
            {"text":"x","at":"2029-12-31T23:00"}                 | this time has passed
            {"text":"x","at":"2040-01-01T00:00"}                 | a reminder is at most five years ahead
            {"text":"x","cron":"hourly"}                         | cron must have five fields
            {"text":"x","after":"PT1M","timeZone":"Mars"}        | '''Mars'' is no time zone'
            """)
    void wrongTimesAreExplainedToTheModel(String arguments, String error) {
        // When
        ToolCalled result = reminds(arguments);

        // Then
        assertTrue(result.content().startsWith("error: " + error), result.content());
        assertEquals(List.of(), open());
    }

    @Test
    @Tag("B226")
    void oneThatRepeatsIsSentAtEachOfItsTimes() {
        // Given
        reminds("{\"text\":\"news\",\"cron\":\"0 9 * * *\",\"begin\":true}");

        // When
        session.after(Duration.ofHours(34));

        // Then
        assertEquals(
                List.of(at("2030-01-01T09:00:00Z"), at("2030-01-02T09:00:00Z")),
                due().stream().map(DueReminder::due).toList());
        assertTrue(due().getFirst().begins());
        assertEquals(at("2030-01-03T09:00:00Z"), open().getFirst().due());
    }

    @Test
    @Tag("B226")
    void whatWasMissedIsSentOnceAndSaysWhen() {
        // Given
        reminds("{\"text\":\"news\",\"cron\":\"0 9 * * *\"}");
        session.jumps(Duration.ofDays(3).plusHours(12));

        // When
        session.take(new dev.parley.domain.protocol.TurnInput.Tick());

        // Then
        assertEquals(1, due().size());
        assertEquals(at("2030-01-05T09:00:00Z"), open().getFirst().due());
        SubmitTurn turn = due().getFirst().turn(session.newMeta(), "news", "web", null, null);
        assertEquals("⏰ news\n(2030-01-01 09:00 UTC)", dev.parley.domain.content.Message.text(turn.content()));
        assertTrue(turn.posted());
    }

    @Test
    void listIsInOrderAndOneIsCancelledOnce() {
        // Given
        reminds("{\"text\":\"second\",\"after\":\"PT2H\"}");
        reminds("{\"text\":\"first\",\"after\":\"PT1H\"}");

        // When
        UUID asked = session.takes(new ListReminders(session.newMeta()));
        var listed = assertInstanceOf(
                Outcome.RemindersListed.class, session.told(asked).getFirst());
        UUID first = listed.reminders().getFirst().id();
        session.takes(new CancelReminder(session.newMeta(), first));
        UUID again = session.takes(new CancelReminder(session.newMeta(), first));

        // Then
        assertEquals(
                List.of("first", "second"),
                listed.reminders().stream().map(Reminder::text).toList());
        assertEquals(List.of("second"), open().stream().map(Reminder::text).toList());
        assertEquals(
                "unknown_reminder",
                assertInstanceOf(Outcome.Refused.class, session.outcome(again)).code());
    }

    @Test
    void nobodyCancelsThoseOfOthersButWhoLeads() {
        // Given
        reminds("{\"text\":\"mine\",\"after\":\"PT2H\"}");
        var bob = session.newMeta().with().user("bob").build();

        // When
        UUID refused = session.takes(new CancelReminder(bob, open().getFirst().id()));
        session.takes(new CancelReminder(
                session.newMeta().with().user("eve").leads(true).build(),
                open().getFirst().id()));

        // Then
        assertInstanceOf(Outcome.Refused.class, session.outcome(refused));
        assertEquals(List.of(), open());
    }

    @Test
    @Tag("B228")
    void waitsUntilTheEndOfTheQuietHoursOfItsPerson() {
        // Given
        reminds("{\"text\":\"late\",\"at\":\"2030-01-01T23:30\"}");
        session.takes(new SetQuietHours(session.newMeta(), new QuietHours("ann", "22:00", "07:00", "UTC")));

        // When
        session.after(Duration.ofHours(30));

        // Then
        assertEquals(List.of(), due());
        session.after(Duration.ofHours(1));
        assertEquals(at("2030-01-01T23:30:00Z"), due().getFirst().due());
        assertEquals(at("2030-01-02T07:00:00Z"), dueReplies().getFirst().at());
    }

    @Test
    @Tag("B228")
    void aPersonHasABoundedNumber() {
        // Given
        for (int i = 0; i < Reminder.MAX_OF_PERSON; i++) {
            reminds("{\"text\":\"x\",\"after\":\"PT1H\"}");
        }

        // When
        ToolCalled result = reminds("{\"text\":\"x\",\"after\":\"PT1H\"}");

        // Then
        assertTrue(result.content().startsWith("error: this person has at most 20"), result.content());
        assertEquals(Reminder.MAX_OF_PERSON, open().size());
    }

    @Test
    void modelListsAndCancels() {
        // Given
        reminds("{\"text\":\"tea\",\"after\":\"PT1H\"}");
        UUID id = open().getFirst().id();
        session.says("which?");

        // When
        session.modelCalls(SessionFixture.call("l", "reminders", "{}"));
        String listed = session.events(ToolCalled.class).getLast().content();
        session.modelCalls(SessionFixture.call("c", "reminders", "{\"cancel\":\"%s\"}".formatted(id)));

        // Then
        assertEquals(
                "{\"reminders\":[{\"id\":\"%s\",\"text\":\"tea\",\"due\":\"2030-01-01 01:00 UTC\"}]}".formatted(id),
                listed);
        assertEquals(
                "{\"reminders\":[]}", session.events(ToolCalled.class).getLast().content());
    }

    @Test
    void survivesANewSessionAndEndsWithADeletedOne() {
        // Given
        reminds("{\"text\":\"tea\",\"after\":\"PT1H\"}");

        // When
        session.resets(Reset.NEW);
        int kept = open().size();
        session.changes(Change.DELETE);

        // Then
        assertEquals(1, kept);
        assertEquals(List.of(), open());
        assertTrue(TurnMachine.nextDue(session.state()).isEmpty());
    }

    @Test
    @Tag("B227")
    void isNotSentToAnArchivedSessionAndTheReasonIsOnRecord() {
        // Given
        reminds("{\"text\":\"tea\",\"after\":\"PT1H\"}");
        session.changes(Change.ARCHIVE);

        // When
        session.after(Duration.ofHours(2));

        // Then
        assertEquals(List.of(), due());
        assertEquals("the session is archived", refused().getFirst().reason());
    }

    @Test
    @Tag("B227")
    void refusalOfTheBotIsOnRecord() {
        // Given
        reminds("{\"text\":\"tea\",\"after\":\"PT1H\"}");
        session.after(Duration.ofHours(2));
        DueReminder due = due().getFirst();

        // When
        session.takes(new RefuseReminder(session.newMeta(), due.id(), due.due(), "not admitted"));

        // Then
        ReminderChanged refused = refused().getFirst();
        assertEquals("not admitted", refused.reason());
        assertEquals(due.due(), refused.due());
    }

    @Test
    @Tag("B227")
    void refusalOfItsTurnIsOnRecord() {
        // Given
        reminds("{\"text\":\"tea\",\"after\":\"PT1H\"}");
        session.after(Duration.ofHours(2));
        DueReminder due = due().getFirst();
        session.changes(Change.ARCHIVE);

        // When
        session.takes(due.turn(
                session.newMeta().of(due.turnId(session.state().key()), session.now()), "tea", "web", null, null));

        // Then
        assertTrue(refused().getFirst().reason().contains("archived"), refused().toString());
    }

    @Test
    @Tag("B226")
    void turnOfOneIsItsPersonsAndIsMadeOnce() {
        // Given
        reminds("{\"text\":\"read the news\",\"after\":\"PT1H\",\"begin\":true}");
        session.after(Duration.ofHours(2));
        DueReminder due = due().getFirst();
        SubmitTurn turn = due.turn(
                session.newMeta().of(due.turnId(session.state().key()), session.now()),
                "read the news",
                "web",
                null,
                null);

        // When
        session.takes(turn);
        session.takes(turn);

        // Then
        assertEquals(
                due.turnId(session.state().key()), session.state().running().turnId());
        assertEquals(Origin.SCHEDULE, session.state().running().turn().origin());
        assertTrue(
                session.shown().getLast().contains("read the news"),
                session.shown().toString());
        assertEquals(List.of(), session.state().queue());
        assertNull(session.state().running().turn().replyTo());
    }
}
