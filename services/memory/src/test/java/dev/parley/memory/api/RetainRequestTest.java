package dev.parley.memory.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.memory.api.DocJson.GivenJson;
import dev.parley.memory.api.DocJson.SaidJson;
import dev.parley.platform.http.ApiException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Validation of retain requests, and their document ids. */
@Tag("M5")
@Tag("M30")
class RetainRequestTest {
    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    private static final BankRef BANK = new BankRef(Ids.of("host"), "p", null, "ann");

    private static GivenJson text(@Nullable String id, String text, String... tags) {
        return new GivenJson(text, null, id, null, List.of(tags), null, null);
    }

    private static Retain retain(GivenJson json) {
        var meta = new CommandMeta(Ids.of("command"), BANK.host(), NOW, "ann", null, null);
        return RetainRequest.of(json, NOW).command(meta, BANK);
    }

    private static String errorCode(GivenJson json) {
        return assertThrows(ApiException.class, () -> RetainRequest.of(json, NOW))
                .code();
    }

    @Test
    void documentIdDependsOnTheTextOrTheGivenName() {
        UUID textId = retain(text(null, "It rains.")).docId();
        assertEquals(textId, retain(text(null, "It rains.", "weather")).docId());
        assertNotEquals(textId, retain(text(null, "It pours.")).docId());
        UUID namedId = retain(text("today", "It rains.")).docId();
        assertEquals(namedId, retain(text("today", "It pours.")).docId());
        assertNotEquals(textId, namedId);
        assertEquals(textId, retain(text(textId.toString(), "It pours.")).docId(), "a document by its id");
        var twoSides = List.of(new SaidJson(null, "Ann", "It rains."), new SaidJson("assistant", null, "Yes."));
        Retain conversation = retain(new GivenJson(null, twoSides, null, null, null, null, null));
        assertEquals(
                List.of(new Utterance(Role.USER, "Ann", "It rains."), new Utterance(Role.ASSISTANT, null, "Yes.")),
                conversation.sayings());
        assertEquals(NOW, conversation.mentionedAt());
    }

    @Test
    void rejectsInvalidDocuments() {
        // Then
        assertEquals("missing_field", errorCode(GivenJson.NONE));
        assertEquals(
                "missing_field",
                errorCode(new GivenJson("x", List.of(new SaidJson(null, null, "y")), null, null, null, null, null)));
        assertEquals("empty_document", errorCode(text(null, " \n")));
        assertEquals("empty_document", errorCode(new GivenJson(null, List.of(), null, null, null, null, null)));
        assertEquals("too_large", errorCode(text(null, "x".repeat(Document.MAX_LENGTH + 1))));
        assertEquals(
                Document.MAX_LENGTH,
                RetainRequest.of(text(null, "x".repeat(Document.MAX_LENGTH)), NOW)
                        .sayings()
                        .getFirst()
                        .text()
                        .length());
        assertEquals("invalid_field", errorCode(text(null, "half \ud83d")));
        assertEquals("invalid_field", errorCode(text("x".repeat(201), "x")));
        assertEquals("invalid_field", errorCode(text(null, "x", " ")));
        assertEquals(
                "too_many_tags",
                errorCode(new GivenJson("x", null, null, null, Collections.nCopies(51, "a"), null, null)));
        assertEquals(
                "invalid_field",
                errorCode(new GivenJson(null, List.of(new SaidJson("king", null, "x")), null, null, null, null, null)));
        assertEquals(
                "invalid_field",
                errorCode(new GivenJson("x", null, null, null, null, Instant.parse("+10000-01-01T00:00:00Z"), null)));
        assertEquals("invalid_field", errorCode(new GivenJson("x", null, null, null, null, null, Instant.MAX)));
    }
}
