package dev.parley.channels.web;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.http.HttpDefaults;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.nio.file.Path;

/** What the web channel needs from elsewhere. */
@Factory
@Requires(property = "parley.role.channels", value = "true")
final class WebFactory {

    @Singleton
    @Requires(missingBeans = BlobStore.class)
    BlobStore blobs(@Value("${parley.blobs:data/blobs}") String folder) {
        return new BlobStore(Path.of(folder), HttpDefaults.MAX_REQUEST);
    }
}
