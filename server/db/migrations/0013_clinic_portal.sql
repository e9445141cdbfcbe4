ALTER TABLE "consultations" ADD COLUMN "clinic_pictures_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "clinic_accepted_by" integer;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "clinic_mail_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_clinic_accepted_by_clinic_people_id_fk" FOREIGN KEY ("clinic_accepted_by") REFERENCES "public"."clinic_people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consultations_clinic_mail" ON "consultations" USING btree ("clinic_mail_due_at") WHERE clinic_mail_due_at is not null;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_clinic_pictures" CHECK ("consultations"."clinic_pictures_at" is null or "consultations"."clinic_shared_at" is not null);