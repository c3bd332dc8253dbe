package dev.parley.platform.config.secret;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An external store of secrets. */
interface SecretManager {
    /**
     * Reads a secret within a few seconds.
     *
     * @return null if there is no such secret
     * @throws IOException if the store fails; the message never contains a secret
     */
    @Nullable
    String read(String path, String field) throws IOException, InterruptedException;
}
