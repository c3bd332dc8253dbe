package dev.parley.platform.http.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.config.LimitsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpLimitsTest {
    private static final long HEAP = 768L << 20;

    @ParameterizedTest
    @CsvSource({
        "1024, 512, 384",
        "4096, 2048, 1536",
        "1048576, 8192, 6144",
        "9223372036854775807, 8192, 6144",
        "20, 16, 12",
    })
    void connectionsLeaveHalfOfTheFilesToBrokerAndDatabase(long files, int connections, int streams) {
        // When
        HttpLimits limits = HttpLimits.of(LimitsConfig.DEFAULT, new OpenFiles(files), HEAP);

        // Then
        assertEquals(connections, limits.connections());
        assertEquals(streams, limits.streams());
        assertTrue(limits.streamsPerPerson() <= 64);
    }

    @Test
    void bodiesHaveAnEighthOfTheHeapAndEachHalfOfThat() {
        // When
        HttpLimits limits = HttpLimits.of(LimitsConfig.DEFAULT, new OpenFiles(4_096), HEAP);

        // Then
        assertEquals(96 << 20, limits.bodyBytes());
        assertEquals(48 << 20, limits.bodyBytesEach());
    }

    @Test
    void lowLimitOfFilesIsReportedInOneSentence() {
        assertEquals(
                "The process may open only 4,096 files, so it takes at most 2,048 HTTP connections: allow 65,536 "
                        + "(ulimit -Hn, LimitNOFILE= of systemd, ulimits: nofile of compose)",
                new OpenFiles(4_096).warning(2_048).orElseThrow());
        assertTrue(new OpenFiles(65_536).warning(8_192).isEmpty());
    }
}
