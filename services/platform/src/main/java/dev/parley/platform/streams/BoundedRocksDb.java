package dev.parley.platform.streams;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/** RocksDB configuration: all stores of a process share one bounded cache and one bounded set of write buffers. */
public final class BoundedRocksDb implements RocksDBConfigSetter {
    private static final long CACHE_BYTES = 64L << 20;
    private static final long WRITE_BUFFER_BYTES = 48L << 20;
    private static final long ONE_WRITE_BUFFER = 2L << 20;

    private static final class Shared {
        static final Cache CACHE = new LRUCache(CACHE_BYTES);
        static final WriteBufferManager BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        var table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(Shared.CACHE);
        table.setCacheIndexAndFilterBlocks(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(Shared.BUFFERS);
        options.setWriteBufferSize(ONE_WRITE_BUFFER);
        options.setMaxWriteBufferNumber(2);
    }

    @Override
    public void close(String storeName, Options options) {
        // the cache and the buffers belong to all stores of the process
    }
}
