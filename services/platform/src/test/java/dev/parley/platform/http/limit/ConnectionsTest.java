package dev.parley.platform.http.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private final Connections<Client> connections = new Connections<>(4, 2);

    private record Client(int number, String address, boolean isShared) implements Connections.Member {
        Client(int number, String address) {
            this(number, address, false);
        }
    }

    @Test
    void newConnectionTakesThePlaceOfTheOneThatWaitedLongest() {
        // Given
        var first = new Client(1, "a");
        var second = new Client(2, "b");
        List.of(first, second, new Client(3, "c"), new Client(4, "d")).forEach(connections::open);
        connections.waits(first, false); // it has sent a request

        // When
        var admission = connections.open(new Client(5, "e"));

        // Then
        assertTrue(admission.admitted());
        assertEquals(Optional.of(second), admission.evicted());
    }

    @Test
    void refusesOnlyWhileAllAreInUse() {
        // Given
        var busy = List.of(new Client(1, "a"), new Client(2, "b"), new Client(3, "c"), new Client(4, "d"));
        busy.forEach(connections::open);
        busy.forEach(client -> connections.waits(client, false));

        // When
        var refused = connections.open(new Client(5, "e"));
        connections.close(busy.getFirst());
        var admitted = connections.open(new Client(6, "f"));

        // Then
        assertFalse(refused.admitted());
        assertTrue(admitted.admitted());
        assertEquals(4, connections.size());
    }

    @Test
    void addressHasItsOwnLimitAndEvictsItsOwn() {
        // Given
        var other = new Client(1, "b");
        connections.open(other);
        var first = new Client(2, "a");
        connections.open(first);
        connections.open(new Client(3, "a"));

        // When
        var admission = connections.open(new Client(4, "a"));

        // Then
        assertEquals(Optional.of(first), admission.evicted());
    }

    @Test
    void sharedAddressHasOnlyTheLimitOfAll() {
        for (int i = 0; i < 4; i++) {
            var admission = connections.open(new Client(i, "proxy", true));
            assertTrue(admission.admitted());
            assertEquals(Optional.empty(), admission.evicted());
        }
    }

    @Test
    void nothingIsLeftWhenAllHaveGone() {
        // Given random openings, requests and ends
        var random = new Random(51);
        var open = new ArrayList<Client>();
        for (int i = 0; i < 20_000; i++) {
            if (open.isEmpty() || random.nextInt(3) == 0) {
                var client = new Client(i, "a" + random.nextInt(3), random.nextBoolean());
                var admission = connections.open(client);
                if (admission.admitted()) {
                    open.add(client);
                }
                admission.evicted().ifPresent(evicted -> {
                    assertTrue(open.remove(evicted));
                    connections.close(evicted);
                });
            } else if (random.nextBoolean()) {
                connections.waits(open.get(random.nextInt(open.size())), random.nextBoolean());
            } else {
                connections.close(open.remove(random.nextInt(open.size())));
            }
            assertEquals(open.size(), connections.size());
            assertTrue(open.size() <= 4);
            assertEquals(open.size(), new HashSet<>(open).size());
        }

        // When
        open.forEach(connections::close);

        // Then
        assertEquals(0, connections.size());
        for (int i = 0; i < 4; i++) {
            assertTrue(connections.open(new Client(-i, "z" + i)).evicted().isEmpty());
        }
    }
}
