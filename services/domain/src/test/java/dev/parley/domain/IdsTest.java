package dev.parley.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {
    private static final String ID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";

    @Test
    void parsesTheOnlyForm() {
        assertEquals(UUID.fromString(ID), Ids.parse(ID));
        assertTrue(RecordKey.isNewProject(ID));
        assertEquals(Ids.parse(ID), RecordKey.projectId(ID));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9",
                "0a1b2c3D-4e5f-6071-8293-a4b5c6d7e8f9",
                "{0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9}",
                "urn:uuid:0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9",
                "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
                "1-1-1-1-1",
                "0a1b2c3d-14e5f-6071-8293-a4b5c6d7e8f",
                "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 ",
                " 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9",
                "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9\n",
                "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f\uff19",
                "00a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"
            })
    @Tag("B44")
    void refusesOtherForms(String text) {
        assertFalse(Ids.isId(text));
        assertThrows(IllegalArgumentException.class, () -> Ids.parse(text));
        assertFalse(RecordKey.isNewProject(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "shop", "Shop-2", "deadbeef", "a-b-c-d-g", "2026-01-01"})
    void namesOfProjectsAreNoIds(String name) {
        assertTrue(RecordKey.isNewProject(name));
        assertNotEquals(RecordKey.projectId(name), RecordKey.projectId(name + "x"));
    }

    /** A project that 0.1.0 imported under such a key is still found. */
    @Test
    void readsKeysOfProjectsOfEarlierVersions() {
        assertEquals(Ids.parse(ID), RecordKey.projectId(ID.toUpperCase(Locale.ROOT)));
    }
}
