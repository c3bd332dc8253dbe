package dev.parley.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.BankClient.RecalledMemories;
import dev.parley.tools.ToolOutput;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemoryToolsTest {
    private static final String JSON = "{\"memories\":[{\"text\":\"Ann owns a parrot.\"}],\"tokens\":9}";
    private static final Outcome.Recalled FOUND =
            new Outcome.Recalled(RecordKey.of("test:ann"), Ids.of("call"), JSON, null, 7, List.of());

    @Test
    @Tag("M33")
    void recallReportsThatABankIsLoading() {
        // Then
        assertEquals(ToolOutput.of(JSON), MemoryTools.recallOutput(new RecalledMemories(List.of(FOUND), false)));

        String partial = MemoryTools.recallOutput(new RecalledMemories(List.of(FOUND), true))
                .toString();
        assertTrue(partial.contains("parrot") && partial.contains("ask again in some seconds"), partial);

        String none =
                MemoryTools.recallOutput(new RecalledMemories(List.of(), true)).toString();
        assertTrue(none.contains("being made ready"), none);
        assertTrue(MemoryTools.recallOutput(new RecalledMemories(List.of(), false))
                .toString()
                .contains("does not answer"));
    }
}
