ALTER TABLE "pets" ADD COLUMN "added_key" text;--> statement-breakpoint
ALTER TABLE "pets" ADD COLUMN "added_payload" text;--> statement-breakpoint
ALTER TABLE "pets" ADD CONSTRAINT "pets_addedKey_unique" UNIQUE("added_key");