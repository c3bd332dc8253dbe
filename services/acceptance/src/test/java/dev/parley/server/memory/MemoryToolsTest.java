package dev.parley.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.BankClient.RecalledMemories;
import dev.parley.tools.ToolOutput;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemoryToolsTest {
    private static final String JSON = "{\"memories\":[{\"text\":\"Ann owns a parrot.\"}]}";
    private static final Outcome.Recalled FOUND =
            new Outcome.Recalled(RecordKey.of("test:ann"), Ids.of("call"), JSON, null, 7, List.of());

    @Test
    @Tag("M33")
    void recallReportsThatABankIsLoading() {
        // Then
        assertEquals(
                ToolOutput.of(JSON),
                MemoryTools.recallOutput(ZoneOffset.UTC, new RecalledMemories(List.of(FOUND), false)));

        String partial = MemoryTools.recallOutput(ZoneOffset.UTC, new RecalledMemories(List.of(FOUND), true))
                .toString();
        assertTrue(partial.contains("parrot") && partial.contains("ask again in some seconds"), partial);

        String none = MemoryTools.recallOutput(ZoneOffset.UTC, new RecalledMemories(List.of(), true))
                .toString();
        assertTrue(none.contains("being made ready"), none);
        assertTrue(MemoryTools.recallOutput(ZoneOffset.UTC, new RecalledMemories(List.of(), false))
                .toString()
                .contains("does not answer"));
    }

    @Test
    @Tag("B150")
    void timesAreThoseOfTheClockOfWhoAsks() {
        // Given
        var found = new Outcome.Recalled(RecordKey.of("test:ann"), Ids.of("call"), """
            {"memories":[{"text":"Ann met Bob.","occurredFrom":"2026-02-28T11:00:00Z",\
            "occurredTo":"2026-03-01T10:59:59Z","mentionedAt":"2026-03-01T20:00:00.123456Z"}]}\
            """, null, 7, List.of());
        ZoneId zone = ZoneId.of("Pacific/Auckland");

        // Then
        String output = MemoryTools.recallOutput(zone, new RecalledMemories(List.of(found), false))
                .toString();
        assertTrue(output.contains("\"occurredFrom\":\"2026-03-01T00:00:00+13:00\""), output);
        assertTrue(output.contains("\"occurredTo\":\"2026-03-01T23:59:59+13:00\""), output);
        assertTrue(output.contains("\"mentionedAt\":\"2026-03-02T09:00:00.123456+13:00\""), output);
        String notes = MemoryTools.reminder(List.of(found), true, zone);
        assertTrue(notes.contains("- [2026-03-01] Ann met Bob."), notes);
    }
}
