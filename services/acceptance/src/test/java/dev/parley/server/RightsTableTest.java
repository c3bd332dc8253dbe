package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.access.RightsChange.Change;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every route that changes something has a line in {@code rights.txt}, which says what decides whether it may change
 * rights: changes of {@link dev.parley.domain.access.RightsChange}; {@code administrator} for those with an unlimited
 * key only; {@code unlimited} for unlimited keys only; {@code own} where it only takes or uses rights of the caller;
 * {@code capability} where the capability of the route is that right; {@code none} where it changes no rights.
 */
class RightsTableTest {
    private static final Set<String> OTHERS = Set.of("administrator", "unlimited", "own", "capability", "none");

    @Test
    @Tag("B43")
    void everyRouteThatChangesSomethingSaysWhatDecidesOnRights() throws IOException {
        // Given
        List<String> changing = lines("/routes.txt")
                .filter(line -> line.matches("(PUT|POST|PATCH|DELETE) .*"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
        List<String[]> table =
                lines("/rights.txt").map(line -> line.split(" ", 3)).toList();

        // Then
        assertEquals(
                changing,
                table.stream().map(line -> line[0] + " " + line[1]).toList(),
                "a new route needs a line in rights.txt");
        var used = new HashSet<String>();
        table.forEach(line -> used.addAll(List.of(line[2].split(", "))));
        Set<String> changes = new HashSet<>(Arrays.stream(Change.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList());
        assertTrue(used.containsAll(changes), "every change is one of a route");
        changes.addAll(OTHERS);
        assertTrue(changes.containsAll(used), used.toString());
    }

    private static Stream<String> lines(String resource) throws IOException {
        try (var in = Objects.requireNonNull(RightsTableTest.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
        }
    }
}
