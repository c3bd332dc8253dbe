package dev.parley.platform.config;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An external store of secrets. */
interface SecretManager {
    /**
     * Reads a secret. It takes some seconds at the most.
     *
     * @return null where there is no such secret
     * @throws IOException when it cannot be asked, saying why; never with a secret in it
     */
    @Nullable
    String read(String path, String field) throws IOException, InterruptedException;
}
