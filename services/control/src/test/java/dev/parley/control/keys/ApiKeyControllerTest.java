package dev.parley.control.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** API keys that cannot be created. */
class ApiKeyControllerTest {
    @Test
    void rejectsAPermissionThatIsNull() {
        // Given
        var body = new ApiKeyController.NewJson("ci", null, Collections.<String>singletonList(null), null);
        Caller admin = Caller.installation(null);

        // When
        var refused = assertThrows(ApiException.class, () -> new ApiKeyController(null).make(body, admin));

        // Then
        assertEquals(400, refused.status().getCode());
        assertEquals("The field 'permissions' must not contain null", refused.getMessage());
    }
}
