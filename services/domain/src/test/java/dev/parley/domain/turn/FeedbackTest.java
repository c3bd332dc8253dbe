package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.GiveFeedback;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.domain.protocol.TurnEvent.FeedbackGiven;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opinions about turns of Ann's session. */
class FeedbackTest {
    private final SessionFixture session = new SessionFixture();
    private UUID turn;

    @BeforeEach
    void answer() {
        turn = session.says("what is the capital of Norway?");
        session.modelAnswers("Bergen");
    }

    private CommandMeta by(@Nullable String user) {
        CommandMeta meta = session.newMeta();
        return new CommandMeta(meta.commandId(), meta.host(), meta.at(), user, meta.outcomePartition(), null);
    }

    private UUID rates(CommandMeta meta, UUID of, Opinion opinion, @Nullable String emoji, @Nullable String reason) {
        return session.takes(new GiveFeedback(meta, of, opinion, emoji, reason));
    }

    private String refusal(UUID command) {
        return assertInstanceOf(Outcome.Refused.class, session.told(command).getLast())
                .code();
    }

    private List<FeedbackGiven> given() {
        return session.events(FeedbackGiven.class);
    }

    @Test
    @Tag("B220")
    void anOpinionIsAnEventAndChangesNothingElse() {
        // Given
        int entries = session.shown().size();

        // When it is given, changed and taken back
        rates(by("ann"), turn, Opinion.GOOD, null, null);
        rates(by("ann"), turn, Opinion.BAD, null, "it is Oslo");
        UUID last = rates(by("ann"), turn, Opinion.WITHDRAWN, null, null);

        // Then
        assertEquals(
                List.of(Opinion.GOOD, Opinion.BAD, Opinion.WITHDRAWN),
                given().stream().map(FeedbackGiven::opinion).toList());
        var bad = given().get(1);
        assertEquals(List.of(turn, "ann", "it is Oslo"), List.of(bad.turnId(), bad.by(), String.valueOf(bad.reason())));
        assertInstanceOf(Outcome.Accepted.class, session.told(last).getLast());
        assertEquals(entries, session.shown().size(), "no model is told");
    }

    @Test
    @Tag("B220")
    void aDuplicateIsNoSecondEvent() {
        var command = new GiveFeedback(by("telegram:7"), turn, Opinion.GOOD, "👍", null);

        session.takes(command);
        session.takes(command);

        assertEquals(1, given().size());
        assertEquals("👍", given().getFirst().emoji());
    }

    @Test
    @Tag("B220")
    void onlyTurnsOfTheSessionAreRated() {
        assertEquals("unknown_turn", refusal(rates(by("ann"), UUID.randomUUID(), Opinion.GOOD, null, null)));
        UUID earlier = rates(by("ann"), turn, Opinion.GOOD, null, null);
        assertEquals("unknown_turn", refusal(rates(by("ann"), earlier, Opinion.GOOD, null, null)), "no turn");
        assertEquals("unknown_author", refusal(rates(by(null), turn, Opinion.GOOD, null, null)));
        assertEquals(1, given().size());
    }

    @Test
    @Tag("B220")
    void aTurnOfAnEarlierSessionUnderTheKeyIsRated() {
        session.takes(new ResetContext(session.newMeta(), Reset.NEW, null));

        rates(by("ann"), turn, Opinion.BAD, "👎", null);

        assertEquals(turn, given().getLast().turnId());
    }

    @Test
    @Tag("B220")
    void whoMayReadTheSessionMayRateIt() {
        rates(by("bob").toGuest(), turn, Opinion.BAD, null, null);
        assertEquals("bob", given().getLast().by());

        assertEquals("unknown_session", refusal(rates(by("mallory").toOwn(), turn, Opinion.BAD, null, null)));
        assertEquals(1, given().size());
    }

    @ParameterizedTest
    @CsvSource({
        "👍,GOOD",
        "👍🏽,GOOD",
        "❤️,GOOD",
        "❤,GOOD",
        "+1,GOOD",
        "thumbsup::skin-tone-3,GOOD",
        "👎,BAD",
        "👎🏿,BAD",
        "-1,BAD",
        "💩,BAD",
        "👀,OTHER",
        "party_parrot,OTHER"
    })
    @Tag("B221")
    void aReactionShowsAnOpinion(String reaction, Opinion opinion) {
        assertEquals(opinion, Opinion.of(reaction));
    }
}
