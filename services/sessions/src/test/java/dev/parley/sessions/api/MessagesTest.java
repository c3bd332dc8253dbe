package dev.parley.sessions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.sessions.api.Messages.Placed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many messages fit a page. */
class MessagesTest {
    private static final List<Placed> THREE =
            IntStream.range(0, 3).mapToObj(MessagesTest::message).toList();

    private static Placed message(int position) {
        var message = new MessageJson(
                UUID.randomUUID(), null, "user", List.of(), null, null, null, null, null, null, null, false, Instant.EPOCH, null);
        return new Placed(message, position, 0);
    }

    private static int fitting(long... bytes) {
        var sizes = Map.of(THREE.get(0).id(), bytes[0], THREE.get(1).id(), bytes[1], THREE.get(2).id(), bytes[2]);
        return Messages.fitting(THREE, sizes).size();
    }

    @Test
    void whatFitsIsAllOfIt() {
        assertEquals(3, fitting(1, 1, Messages.MOST_BYTES - 2));
        assertEquals(3, Messages.fitting(THREE, Map.of()).size(), "messages may have no parts");
        assertEquals(List.of(), Messages.fitting(List.of(), Map.of()));
    }

    @Test
    void whatDoesNotFitIsLeftToTheNextPage() {
        assertEquals(2, fitting(1, 1, Messages.MOST_BYTES - 1));
        assertEquals(1, fitting(2, Messages.MOST_BYTES, 1));
    }

    @Test
    void aPageHasOneHoweverLargeItIs() {
        assertEquals(1, fitting(Messages.MOST_BYTES + 1, 1, 1));
    }
}
