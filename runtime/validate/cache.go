package validate

// This file keeps compiled schemas by digest, the least recently used going first.

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

const (
	maxCached      = 4096
	maxCachedBytes = 32 << 20
)

type cache struct {
	mu     sync.Mutex
	items  map[[sha256.Size]byte]*list.Element
	recent *list.List // of *cached, the last used in front
	bytes  int
}

// cached is a schema or why it is none; it compiles once, outside the cache's lock.
type cached struct {
	key  [sha256.Size]byte
	size int
	once sync.Once
	s    *schema
	err  error
}

func newCache() cache {
	return cache{items: map[[sha256.Size]byte]*list.Element{}, recent: list.New()}
}

func (c *cache) schema(raw []byte) (*schema, error) {
	if len(raw) > maxSchema.bytes {
		return compile(raw) // says that it is too large
	}
	item := c.item(raw)
	item.once.Do(func() { item.s, item.err = compile(raw) })
	return item.s, item.err
}

func (c *cache) item(raw []byte) *cached {
	key := sha256.Sum256(raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.recent.MoveToFront(e)
		return e.Value.(*cached)
	}
	item := &cached{key: key, size: len(raw)}
	c.items[key] = c.recent.PushFront(item)
	c.bytes += item.size
	for c.recent.Len() > maxCached || c.bytes > maxCachedBytes {
		c.drop(c.recent.Back())
	}
	return item
}

func (c *cache) drop(e *list.Element) {
	item := c.recent.Remove(e).(*cached)
	delete(c.items, item.key)
	c.bytes -= item.size
}
