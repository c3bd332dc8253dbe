package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How many rows fit a page. */
class PageTest {
    private static int fitting(Long... bytes) {
        return Page.fitting(List.of(bytes), size -> size).size();
    }

    @Test
    void takesAllRowsUpToTheByteLimit() {
        assertEquals(3, fitting(1L, 1L, Page.MOST_BYTES - 2));
        assertEquals(0, fitting());
    }

    @Test
    void leavesRowsBeyondTheLimitToTheNextPage() {
        assertEquals(2, fitting(1L, 1L, Page.MOST_BYTES - 1));
        assertEquals(1, fitting(2L, Page.MOST_BYTES, 1L));
    }

    @Test
    void takesOneRowOfAnySize() {
        assertEquals(1, fitting(Page.MOST_BYTES + 1, 1L, 1L));
    }
}
