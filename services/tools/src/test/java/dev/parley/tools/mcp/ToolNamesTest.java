package dev.parley.tools.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tools of a server have distinct names that models accept. */
class ToolNamesTest {
    @Test
    @Tag("B102")
    void namesThatMapToOneAreDistinct() {
        String long1 = "a".repeat(70) + "1";
        String long2 = "a".repeat(70) + "2";
        List<String> names = List.of("get_user", "get.user", "get/user", "search", "a b", long1, long2, "日本", "中国");

        var distinct = ToolNames.distinct(names);

        assertEquals(names.size(), Set.copyOf(distinct.values()).size());
        assertTrue(distinct.values().stream().allMatch(name -> name.matches("[A-Za-z0-9_-]{1,64}")));
        assertEquals("get_user", distinct.get("get_user"));
        assertTrue(distinct.getOrDefault("get.user", "").matches("get_user_[0-9a-f]{6}"));
        assertEquals("search", distinct.get("search"));
        assertEquals("a_b", distinct.get("a b"));
    }

    @Test
    @Tag("B102")
    void aNameStaysWhenOthersAreListedInAnotherOrder() {
        assertEquals(
                ToolNames.distinct(List.of("get.user", "get/user")).get("get.user"),
                ToolNames.distinct(List.of("get/user", "other", "get.user")).get("get.user"));
    }
}
