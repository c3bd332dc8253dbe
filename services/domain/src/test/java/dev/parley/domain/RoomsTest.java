package dev.parley.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of a turn know each other in one direction alone. */
class RoomsTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/parley/domain");

    /** Each may know those before it. */
    private static final List<String> ROOMS = List.of("definition", "protocol", "session", "turn");

    @Test
    void noRoomKnowsOneThatIsBuiltOnIt() throws IOException {
        for (int i = 0; i < ROOMS.size(); i++) {
            List<String> later = ROOMS.subList(i + 1, ROOMS.size());
            Pattern wrong = Pattern.compile("import (?:static )?dev\\.parley\\.domain\\.(?:%s)\\..*"
                    .formatted(later.isEmpty() ? "none" : String.join("|", later)));
            try (Stream<Path> files = Files.walk(SOURCES.resolve(ROOMS.get(i)))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    List<String> found = Files.readAllLines(file).stream()
                            .filter(wrong.asMatchPredicate())
                            .toList();
                    assertEquals(List.of(), found, file.toString());
                }
            }
        }
    }
}
